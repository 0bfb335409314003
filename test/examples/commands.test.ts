/** Runs the example that follows a command, unchanged, against a real server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startServer, type ServerUnderTest } from '../http/server-under-test.js';

const SCRIPT = join(import.meta.dirname, '..', '..', 'examples', 'commands', 'follow.mjs');

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterAll(() => server.stop());

async function follow(command: string, input = '', SERVER = server.url) {
  const child = spawn(process.execPath, [SCRIPT, command], { env: { ...process.env, SERVER } });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, stdout, stderr };
}

it('prints the command’s output, exits with its exit code, and leaves no terminal', async () => {
  expect(await follow('seq 1 1000; (exit 7)')).toEqual({
    code: 7,
    stdout: Array.from({ length: 1000 }, (_, line) => `${line + 1}\n`).join(''),
    stderr: '',
  });
  expect(await server.manager.list()).toEqual([]);
});

it('answers questions, one after the other', async () => {
  const command = 'read -r -p "Name? " name; read -r -p "Age? " age; echo "$name is $age"';
  const { code, stdout } = await follow(command, 'Ada\n36\n');
  expect([code, stdout]).toEqual([0, 'Name? Ada\nAge? 36\nAda is 36\n']);
});

it('interrupts a question that is not answered', async () => {
  expect((await follow('read -r -p "Name? " name')).code).toBe(130);
});

it('reports errors', async () => {
  const { code, stderr } = await follow('true', '', `${server.url}/none`);
  expect(code).not.toBe(0);
  expect(stderr).toContain('ROUTE_NOT_FOUND');
});
