/**
 * Measures the time from typing one byte into a program that echoes it until a subscriber of the engine (in this
 * process or in a host) receives it, alone or while other terminals flood.
 */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { nextOutputBytes } from '../engine.js';
import { openEngine } from '../hosts.js';
import { ECHO_PROGRAM, FLOOD_PROGRAM } from '../inputs/programs.js';
import type { EchoRequest } from '../rows/echo.js';

const { floods, echoes, where } = request<EchoRequest>();
const { manager, end } = openEngine(where);
for (let i = 0; i < floods; i++) await manager.create({ command: 'sh', args: ['-c', FLOOD_PROGRAM] });
const { id } = await manager.create({ command: 'sh', args: ['-c', ECHO_PROGRAM] });
const events = (await manager.subscribe(id, 0))[Symbol.asyncIterator]();
await nextOutputBytes(events);

const timesMs: number[] = [];
for (let i = 0; i < echoes; i++) {
  const echoed = nextOutputBytes(events);
  const start = performance.now();
  await manager.write(id, { input: 'x', raw: true });
  await echoed;
  timesMs.push(performance.now() - start);
}
await end();
answer(timesMs);
