/** Runs the example that watches a terminal, unchanged, against a real server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startServer, type ServerUnderTest } from '../http/server-under-test.js';

const SCRIPT = join(import.meta.dirname, '..', '..', 'examples', 'live', 'watch.mjs');

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterAll(() => server.stop());

it('shows what is there and what comes, types, and ends with the terminal', async () => {
  const id = await server.api.run('echo before; read name; echo "Hello $name"; exit 7');
  const child = spawn(process.execPath, [SCRIPT, id], { env: { ...process.env, SERVER: server.url } });
  child.stdin.write('Ada\n');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect([code, stderr]).toEqual([7, 'closed: the terminal has ended\n']);
  expect(stdout).toMatch(/before[^]*Ada[^]*Hello Ada/);
});
