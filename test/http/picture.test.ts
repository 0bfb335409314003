/** Tests GET /api/terminals/:id/screen?format=png: a picture, and the conditions under which there is none. */
import { decodePng } from '../picture/decoded-png.js';
import { startServer, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.stop());

const pictureOf = (id: string) => fetch(`http://127.0.0.1:${server.port}/api/terminals/${id}/screen?format=png`);

it('shows the screen of a running and of an ended program', async () => {
  const script = 'printf "\\033[?25l\\033[41m\\033[2J\\033[mready"';
  const ended = await server.api.create({ command: 'sh', args: ['-c', script], cols: 20, rows: 5 });
  await server.api.ended(ended);
  const running = await server.api.create({ command: 'sh', args: ['-c', `${script}; exec cat`], cols: 20, rows: 5 });
  await server.api.readUntil(running, 'ready');
  for (const id of [running, ended]) {
    const response = await pictureOf(id);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    const { width, height, at } = decodePng(bytes);
    expect([width, height]).toEqual([160, 80]);
    // The first row of pixels of a letter is empty.
    expect(at(0, 0)).toBe(0x000000);
    if (id === running) expect([at(159, 0), at(159, 79)]).toEqual([0xcc0000, 0xcc0000]);
  }
});

it('is not rendered for too large a screen, or for an unknown terminal', async () => {
  const id = await server.api.create({ command: 'cat', cols: 1000, rows: 100 });
  const tooLarge = await pictureOf(id);
  expect([tooLarge.status, ((await tooLarge.json()) as { error: object }).error]).toEqual([
    409,
    expect.objectContaining({ code: 'LIMIT_REACHED' }),
  ]);
  expect((await pictureOf('nobody')).status).toBe(404);
  expect((await server.api.get(`/api/terminals/${id}/screen?format=gif`)).status).toBe(400);
});

it('is rendered one at a time: other requests are answered meanwhile, and too many are refused', async () => {
  const id = await server.api.create({ command: 'cat', cols: 200, rows: 50 });
  let answered = 0;
  const pictures = Array.from({ length: 100 }, async () => {
    const response = await pictureOf(id);
    await response.arrayBuffer();
    answered += response.status === 200 ? 1 : 0;
    return response;
  });
  expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
  const answeredBefore = answered;
  const responses = await Promise.all(pictures);
  expect(answeredBefore).toBeLessThan(answered);
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([409, '1']);
  expect((await pictureOf(id)).status).toBe(200);
});
