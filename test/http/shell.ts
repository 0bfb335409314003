/**
 * Runs shell commands whose curl finds the server under test at `http://localhost:3001`, so that documented commands
 * run unchanged.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startServer } from './server-under-test.js';

const DOCUMENTED_PORT = 3001;

/**
 * Starts a server on the documented port. On Linux, each gets its own loopback address, so that it conflicts with no
 * other server on that port; elsewhere there is only 127.0.0.1.
 */
export async function startDocumentedServer() {
  const host = process.platform === 'linux' ? ownLoopbackAddress() : '127.0.0.1';
  const server = await startServer({ http: { host, port: DOCUMENTED_PORT } });
  const home = mkdtempSync(join(tmpdir(), 'tenacitty-curl-'));
  const curlConfig = [
    `connect-to = "localhost:${DOCUMENTED_PORT}:${host}:${DOCUMENTED_PORT}"`,
    'fail-with-body',
    'silent',
  ];
  writeFileSync(join(home, '.curlrc'), curlConfig.join('\n'));
  return { ...server, home };
}

function ownLoopbackAddress(): string {
  return `127.${(process.pid >> 16) & 255}.${(process.pid >> 8) & 255}.${process.pid & 255 || 1}`;
}

/** Runs a script in bash; returns its output. Throws if any of its commands fails. */
export async function runScript(script: string, home: string, variables: Record<string, string> = {}): Promise<string> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: home,
    env: { ...process.env, ...variables, CURL_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`bash ended with ${code}:\n${script}\n${output}\n${errors}`);
  return output;
}
