/** An sshd on this machine that accepts a key created here and runs root's shell, as if on another machine. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SshServer {
  /** Arguments of ssh that connect to it: port and host, without any user settings. */
  readonly to: readonly string[];
  /** The file of the accepted key. */
  readonly key: string;
  stop(): void;
}

export async function startSshServer(): Promise<SshServer> {
  const place = mkdtempSync(join(tmpdir(), 'tenacitty-ssh-'));
  mkdirSync('/run/sshd', { recursive: true });
  for (const name of ['host', 'user'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(place, name)]);
  const port = await freePort();
  // Its shell has none of root's start files on this machine, and reaches its prompt immediately.
  const access = [`AuthorizedKeysFile=${join(place, 'user.pub')}`, `SetEnv=HOME=${place}`];
  const settings = ['PidFile=none', 'StrictModes=no', 'UsePAM=no', ...access];
  const options = settings.flatMap((setting) => ['-o', setting]);
  const listen = ['-f', '/dev/null', '-D', '-e', '-p', String(port), '-o', 'ListenAddress=127.0.0.1'];
  const sshd = spawn('/usr/sbin/sshd', [...listen, '-h', join(place, 'host'), ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(sshd.stderr, 'data');
  const known = ['-o', 'UserKnownHostsFile=/dev/null', '-o', 'GlobalKnownHostsFile=/dev/null', '-F', '/dev/null'];
  return {
    to: ['-p', String(port), ...known, 'root@127.0.0.1'],
    key: join(place, 'user'),
    stop: () => {
      sshd.kill('SIGKILL');
      rmSync(place, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
