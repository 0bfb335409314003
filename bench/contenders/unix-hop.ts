/** Measures the round trip of one byte between two processes over a Unix socket. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { answer, request } from '../contender.js';

const WARM_UP = 200;
const SERVER = fileURLToPath(new URL('../reference/unix-echo.mjs', import.meta.url));

const { echoes } = request<{ echoes: number }>();
const directory = mkdtempSync(join(tmpdir(), 'tenacitty-bench-'));
const path = join(directory, 'socket');
const server = spawn(process.execPath, [SERVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
await once(server.stdout, 'data');
const socket = connect(path);

async function timeOfHop(): Promise<number> {
  const echoed = once(socket, 'data');
  const start = performance.now();
  socket.write('x');
  await echoed;
  return performance.now() - start;
}

for (let i = 0; i < WARM_UP; i++) await timeOfHop();
const timesMs: number[] = [];
for (let i = 0; i < echoes; i++) timesMs.push(await timeOfHop());
server.kill('SIGKILL');
rmSync(directory, { recursive: true });
answer(timesMs);
