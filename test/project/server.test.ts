/** Tests the composition root as a library user sees it: start, use, stop, and a start that fails. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-file.js';
import { resolveOptions } from '../../src/config.js';
import { startServer } from '../../src/server.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tenacitty-server-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function options(...argv: string[]) {
  const flags = [`--data-dir=${folder}`, `--log-file=${join(folder, 'log')}`, '--persistent=false', ...argv];
  return resolveOptions({ argv: flags, env: {}, cwd: folder }).options;
}

describe('startServer', () => {
  it('starts on any free port, serves, and ends all its terminals when it is closed', async () => {
    const { key } = createKey(folder, 'test');
    const server = await startServer(options('--port=0'));
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ command: 'sleep', args: ['1000'] });
    const created = await fetch(`${server.url}/api/terminals`, { method: 'POST', headers, body });
    const { data } = (await created.json()) as { data: { pid: number } };
    expect(() => process.kill(data.pid, 0)).not.toThrow();
    await server.close();
    expect(() => process.kill(data.pid, 0)).toThrow('ESRCH');
  });

  it('may be closed twice', async () => {
    const server = await startServer(options('--port=0'));
    await Promise.all([server.close(), server.close()]);
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('fails with the system’s error if it cannot listen', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(startServer(options(`--port=${port}`))).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    other.close();
  });
});
