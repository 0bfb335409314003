/**
 * Measures the time from typing one byte into a program that echoes it until the bare loop has read it, alone or while
 * other terminals flood.
 */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { ECHO_PROGRAM, FLOOD_PROGRAM } from '../inputs/programs.js';
import { openBarePty } from '../reference/bare-pty.js';
import type { EchoRequest } from '../rows/echo.js';

const { floods, echoes } = request<EchoRequest>();
const flooding = Array.from({ length: floods }, () => openBarePty('/bin/sh', ['-c', FLOOD_PROGRAM], () => {}));
let arrived = (): void => {};
const nextByte = (): Promise<void> => new Promise((resolve) => (arrived = resolve));
const ready = nextByte();
const echo = openBarePty('/bin/sh', ['-c', ECHO_PROGRAM], () => arrived());
await ready;

const timesMs: number[] = [];
const byte = Buffer.from('x');
for (let i = 0; i < echoes; i++) {
  const echoed = nextByte();
  const start = performance.now();
  echo.write(byte);
  await echoed;
  timesMs.push(performance.now() - start);
}
for (const { pid } of [echo, ...flooding]) process.kill(pid, 'SIGKILL');
answer(timesMs);
