/** Tests answering questions over REST: exactly the one that was meant, exactly once, and without a trace of the answer. */
import { policed } from '../../src/access/policy/policed-manager.js';
import { eventually } from '../eventually.js';
import { jsonRequest, sendRaw } from './raw-request.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer()));
afterEach(stopServers);

const SECRET = 'hunter2';

/** The id of what the terminal waits for, if it is not `not`. */
async function question(id: string, not?: string): Promise<string> {
  const { id: found } = await eventually(async () => {
    const { body } = await server.api.get('/api/overview', { ids: [id] });
    const { waiting } = body.data.terminals[0];
    return waiting?.id !== not && (waiting as { id: string } | null);
  });
  return found;
}

const answer = (id: string, body: object, headers = {}) =>
  server.api.call('post', `/api/terminals/${id}/answer`, { body, headers });

it('types a line with Enter, and a key without', async () => {
  const line = await server.api.run('read name; echo "Hello $name"');
  expect((await answer(line, { waiting: await question(line), text: 'Ada' })).body).toMatchObject({ success: true });
  expect(await server.api.readUntil(line, 'Hello')).toContain('Hello Ada');
  const key = await server.api.run('stty -icanon -echo; key=$(dd bs=4 count=1 2>/dev/null); echo "<$key>"');
  await answer(key, { waiting: await question(key), keys: ['up'] });
  expect((await server.api.ended(key)).exitCode).toBe(0);
});

it('refuses an answer to a question that is no longer asked, says what is, and types nothing', async () => {
  const id = await server.api.run('read one; read two; echo "<$one><$two>"');
  const first = await question(id);
  await answer(id, { waiting: first, text: 'a' });
  const second = await question(id, first);
  const late = await answer(id, { waiting: first, text: 'late' });
  expect([late.status, late.body.error.code]).toEqual([409, 'NOT_WAITING']);
  expect(late.body.error.details.waiting).toMatchObject({ id: second });
  await answer(id, { waiting: second, text: 'b' });
  await server.api.readUntil(id, '<a><b>');
  expect((await answer(id, { waiting: second, text: 'c' })).status).toBe(409);
});

it('types exactly one of several answers that are given at the same time', async () => {
  const id = await server.api.run('read one; echo "<$one>"; read two; echo "[$two]"');
  const waiting = await question(id);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => answer(id, { waiting, text: `answer${n}` })));
  const taken = answers.map(({ status }) => status);
  expect(taken.filter((status) => status === 200)).toHaveLength(1);
  expect(taken.filter((status) => status === 409)).toHaveLength(9);
  await answer(id, { waiting: await question(id, waiting), text: 'last' });
  const output = await server.api.readUntil(id, '[');
  expect(output).toContain(`<answer${taken.indexOf(200)}>`);
  expect(output).toContain('[last]');
});

it('is allowed while another caller holds the terminal', async () => {
  const id = await server.api.run('read name; echo "Hello $name"');
  await server.api.post(`/api/terminals/${id}/control`, { action: 'take', name: 'Grace' });
  expect((await answer(id, { waiting: await question(id), text: 'Ada' })).status).toBe(200);
});

it('leaves no trace of a password in the log, the output, or an error', async () => {
  const id = await server.api.run('stty -echo; read word; stty echo; echo "done: ${#word}"');
  const waiting = await question(id);
  const refused = [
    await answer(id, { waiting, text: SECRET, keys: [SECRET] }),
    await answer(id, { waiting, text: [SECRET] }),
    await answer(id, { waiting, keys: SECRET }),
    await answer(id, { waiting, keys: [SECRET.repeat(5)] }),
    await answer(id, { waiting: 'another', text: SECRET }),
    await answer(id, { waiting, text: SECRET }, { 'Idempotency-Key': 'x' }),
  ];
  for (const body of [`{"waiting":"x","text": ${SECRET}}`, `{"waiting":"x","text":"${SECRET}"`, `{"${SECRET}`]) {
    const sent = await sendRaw(server.port, jsonRequest(server.port, 'POST', `/api/terminals/${id}/answer`, body));
    expect(sent.status).toBe(400);
    expect(sent.text).not.toContain(SECRET);
  }
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 409, 400]);
  for (const { text } of refused) expect(text).not.toContain(SECRET);
  expect((await answer(id, { waiting, text: SECRET })).status).toBe(200);
  const output = await server.api.readUntil(id, 'done: 7');
  const all = await server.manager.get(id);
  expect(`${output}${JSON.stringify(all)}${server.logLines.join('')}`).not.toContain(SECRET);
});

it('is refused by a policy that does not allow typing', async () => {
  const id = await server.api.run('read name');
  const policy = { allowsInput: false } as Parameters<typeof policed>[1];
  const guarded = policed(server.manager, policy, { door: 'http' });
  const given = guarded.answer(id, { waiting: await question(id), text: 'rm -rf /' });
  await expect(given).rejects.toMatchObject({ code: 'COMMAND_DENIED' });
});
