/** Measures the time from typing one byte over a WebSocket until its echo arrives. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { ECHO_PROGRAM } from '../inputs/programs.js';
import { openLiveTerminal, type LiveServer } from '../live-terminal.js';

export interface LiveEchoRequest {
  readonly where: LiveServer;
  readonly echoes: number;
}

const WARM_UP_ECHOES = 200;

const { where, echoes } = request<LiveEchoRequest>();
const terminal = await openLiveTerminal(where, ECHO_PROGRAM);
const nextOutput = (): Promise<void> => new Promise((resolve) => (terminal.onOutput = () => resolve()));

async function timeOfEcho(): Promise<number> {
  const echoed = nextOutput();
  const start = performance.now();
  terminal.type('x');
  await echoed;
  return performance.now() - start;
}

await nextOutput();
for (let i = 0; i < WARM_UP_ECHOES; i++) await timeOfEcho();
const timesMs: number[] = [];
for (let i = 0; i < echoes; i++) timesMs.push(await timeOfEcho());
await terminal.end();
answer(timesMs);
