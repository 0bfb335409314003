/** Reads a flood with the bare loop and discards it. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { openBarePty } from '../reference/bare-pty.js';
import { WARM_UP_BYTES } from '../reference/reference.js';
import type { FloodCost } from '../reference/reference.js';

const { file } = request<{ file: string }>();
let bytes = 0;
await new Promise<void>((resolve) => {
  openBarePty('/usr/bin/head', ['-c', WARM_UP_BYTES, file], () => undefined, resolve);
});
const start = performance.now();
const startCpu = process.cpuUsage();
await new Promise<void>((resolve) => {
  openBarePty('/bin/cat', [file], (chunk) => (bytes += chunk.length), resolve);
});
const { user, system } = process.cpuUsage(startCpu);
answer({ ms: performance.now() - start, cpuMs: (user + system) / 1000, bytes } satisfies FloodCost);
