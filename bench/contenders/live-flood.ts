/** Measures a flood until one client of a WebSocket has all of it, or was told what it misses. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { openLiveTerminal, type LiveServer } from '../live-terminal.js';
import { cpuMs } from '../process-cost.js';
import type { FloodCost } from '../reference/reference.js';
import type { InputFile } from '../inputs/input-file.js';

export interface LiveFloodRequest {
  readonly file: InputFile;
  readonly where: LiveServer;
}

export interface LiveFlood extends FloodCost {
  /** Bytes of output that the client was not sent. */
  readonly missed: number;
}

const { file, where } = request<LiveFloodRequest>();
// The first time is the warm-up.
const flood = `read go; cat '${file.path}'`;
const terminal = await openLiveTerminal(where, `stty -echo; printf '!'; ${flood}; ${flood}; exec sleep 1000`);

/** Resolves when so many bytes have arrived or were missed; returns how many were missed. */
function arrived(bytes: number): Promise<number> {
  let seen = 0;
  let missedBytes = 0;
  return new Promise((resolve) => {
    terminal.onOutput = (size, missed) => {
      seen += size + missed;
      missedBytes += missed;
      if (seen >= bytes) resolve(missedBytes);
    };
  });
}

await arrived(1);
for (let round = 0; ; round++) {
  const all = arrived(file.outputBytes);
  const startCpuMs = cpuMs(terminal.pids());
  const start = performance.now();
  terminal.type('go\n');
  const missed = await all;
  const ms = performance.now() - start;
  const flooded = { ms, cpuMs: cpuMs(terminal.pids()) - startCpuMs, bytes: file.outputBytes, missed };
  if (round === 0) continue;
  await terminal.end();
  answer(flooded satisfies LiveFlood);
  break;
}
