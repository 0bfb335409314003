/** Tests GET /api/terminals/:id/recording: what is sent, as which file, and what is refused. */
import { startServer, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterAll(() => server.stop());

async function ended(script: string): Promise<string> {
  const id = await server.api.run(script);
  await server.api.ended(id);
  return id;
}

const recording = (id: string, query: object = {}) => server.api.get(`/api/terminals/${id}/recording`, { ...query });

it('sends a file with a name for the format', async () => {
  const id = await ended('printf "h\\303\\251llo\\n"');
  const { status, headers, text } = await recording(id);
  expect(status).toBe(200);
  expect(headers['content-disposition']).toBe(`attachment; filename="terminal-${id.slice(0, 8)}.cast"`);
  const [header, ...events] = text
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line) as unknown[]);
  expect(header).toMatchObject({
    version: 3,
    term: { cols: 80, rows: 24 },
    tenacitty: { timing: 'reads', dropped: 0 },
  });
  expect(events).toEqual([
    [0, 'o', 'héllo\r\n'],
    [expect.any(Number), 'x', '0'],
  ]);
  expect((await recording(id, { format: 'asciicast-v2' })).text).toContain('"version":2,"width":80,"height":24');
  expect((await recording(id, { format: 'raw' })).text).toBe('héllo\r\n');
  const lines = await recording(id, { format: 'text' });
  expect([lines.text, lines.headers['content-disposition']]).toEqual(['héllo\n', expect.stringMatching(/\.txt"$/)]);
});

it('is named after the terminal and the command', async () => {
  const { id } = await server.manager.create({ name: 'web', shell: '/bin/bash' });
  await server.manager.exec(id, { command: 'echo hi' });
  const { headers } = await recording('web', { command: 1 });
  expect(headers['content-disposition']).toBe('attachment; filename="web-command-1.cast"');
});

it.each([
  [{ format: 'gif' }, 400, 'INVALID_INPUT'],
  [{ fromOffset: 99 }, 400, 'INVALID_INPUT'],
  [{ fromTime: 'yesterday' }, 400, 'INVALID_INPUT'],
  [{ redact: true }, 400, 'INVALID_INPUT'],
  [{ command: 9 }, 404, 'COMMAND_NOT_FOUND'],
])('refuses %j', async (query, status, code) => {
  const answer = await recording(await ended('echo x'), query);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

it('is refused for an unknown terminal', async () => expect((await recording('nobody')).status).toBe(404));

it('sends all of a long recording', async () => {
  const { text } = await recording(await ended('seq 1 100000'));
  const output = text.split('\n').filter((line: string) => line.includes('"o"'));
  const printed = output.map((line: string) => (JSON.parse(line) as [number, string, string])[2]).join('');
  expect(printed.split('\r\n')).toHaveLength(100_001);
  expect(text).toMatch(/100000\\r\\n"\]\n\[[\d.]+,"x","0"\]\n$/);
});
