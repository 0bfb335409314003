/**
 * Reads a flood with the bare loop and writes it directly to @xterm/headless: no line numbers, no offsets, no history
 * except the emulator's own. Uses the synchronous write, the emulator's fastest input.
 */
import { performance } from 'node:perf_hooks';
import headless from '@xterm/headless';
import { answer, request } from '../contender.js';
import { COLS, openBarePty, ROWS } from '../reference/bare-pty.js';
import { WARM_UP_BYTES } from '../reference/reference.js';
import type { FloodCost } from '../reference/reference.js';

export interface EmulatorFlood extends FloodCost {
  readonly screen: readonly string[];
}

const { file } = request<{ file: string }>();
const terminal = new headless.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true, logLevel: 'off' });
const { _core: core } = terminal as unknown as { _core: { writeSync(bytes: Uint8Array | string): void } };
let bytes = 0;
await new Promise<void>((resolve) => {
  openBarePty('/usr/bin/head', ['-c', WARM_UP_BYTES, file], (chunk) => core.writeSync(chunk), resolve);
});
core.writeSync('\x1bc');
const start = performance.now();
const startCpu = process.cpuUsage();
await new Promise<void>((resolve) => {
  const onData = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    core.writeSync(chunk);
  };
  openBarePty('/bin/cat', [file], onData, resolve);
});
const { user, system } = process.cpuUsage(startCpu);
const ms = performance.now() - start;
const { active } = terminal.buffer;
const screen = Array.from({ length: ROWS }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '');
answer({ ms, cpuMs: (user + system) / 1000, bytes, screen } satisfies EmulatorFlood);
