/** Runs the examples of live connections, unchanged, against a real server. */
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LiveProxy, NO_CUT } from '../http/live-proxy.js';
import { startServer, type ServerUnderTest } from '../http/server-under-test.js';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'live');
const KEY = 'tty_for-this-test-only-0123456789abcdef0123';
/** In total less than what a client may have unread without missing output. */
const LINES = 9000;

let server: ServerUnderTest;
beforeAll(async () => {
  const apiKeyHashes = [createHash('sha256').update(KEY).digest('hex')];
  // Through a proxy, requests have another port in their Host header.
  const gate = { apiKeyHashes, allowedHosts: ['127.0.0.1'] };
  server = await startServer({ engine: { defaultShell: '/bin/bash' }, gate });
});
afterAll(() => server.stop());

/** Runs an example to its end. */
async function run(program: string, args: readonly string[], { url = server.url, input = '' } = {}) {
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], SERVER: url, KEY } });
  child.stdin.write(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code: code as number };
}

it('watch.mjs shows present and later output, types, and ends with the terminal', async () => {
  const id = await server.api.run('echo before; read name; echo "Hello $name"; exit 7');
  const ended = await run(process.execPath, [join(EXAMPLES, 'watch.mjs'), id], { input: 'Ada\n' });
  expect(ended).toMatchObject({ code: 7, stderr: 'closed: the terminal has ended\n' });
  expect(ended.stdout).toMatch(/before[^]*Ada[^]*Hello Ada/);
});

describe('follow.py, written from docs/live.md alone', () => {
  const follow = (args: readonly string[], url?: string) =>
    run('python3', [join(EXAMPLES, 'follow.py'), ...args], url === undefined ? {} : { url });

  it('shows present and later output, types each line, and ends with the terminal', async () => {
    const id = await server.api.run('echo before; read name; echo "Hello $name"; read name; echo "and ${#name}"');
    const ended = await follow([id, 'Ada', 'x'.repeat(1000)]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/before[^]*Ada[^]*Hello Ada[^]*and 1000/);
  });

  it('misses nothing, repeats nothing and types once although its connection is cut', async () => {
    const script = `stty -echo; echo before; read go; seq -f '%099.0f' ${LINES}; read end; echo "end of $end"`;
    const id = await server.api.run(script);
    await server.api.readUntil(id, 'before');
    const proxy = await LiveProxy.open(server.port);
    const cuts = [200_000, 300_000];
    proxy.cut = () => ({ ...NO_CUT, toClient: cuts.shift() ?? Infinity });
    const ended = await follow([id, 'go', 'all'], proxy.url).finally(() => proxy.close());
    expect([ended.code, cuts]).toEqual([0, []]);
    const lines = Array.from({ length: LINES }, (_, index) => `${`${index + 1}`.padStart(99, '0')}\r\n`).join('');
    expect(ended.stdout.endsWith(`${lines}end of all\r\n`)).toBe(true);
    expect((await server.manager.get(id)).inputCount).toBe(2);
  });

  it('reports a refusal', async () => {
    expect(await follow(['no-such'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The server answered HTTP/1.1 404\n',
    });
  });
});
