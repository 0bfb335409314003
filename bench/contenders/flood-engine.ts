/** Runs a flood in a terminal of the engine until it has ended and its last lines and screen have been read. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { LocalTerminalManager, untilExited } from '../engine.js';
import { WARM_UP_BYTES } from '../reference/reference.js';
import type { FloodCost } from '../reference/reference.js';

export interface EngineFlood extends FloodCost {
  readonly totalLines: number;
  /** The last lines of the history. */
  readonly tail: string;
  readonly screen: readonly string[];
}

const { file, tailLines } = request<{ file: string; tailLines: number }>();
const manager = new LocalTerminalManager();
const warmUp = await manager.create({ command: 'head', args: ['-c', WARM_UP_BYTES, file] });
await untilExited(manager, warmUp.id);
await manager.remove(warmUp.id);
const start = performance.now();
const startCpu = process.cpuUsage();
const { id } = await manager.create({ command: 'cat', args: [file] });
await untilExited(manager, id);
const { output: tail, totalLines } = await manager.read(id, { mode: 'tail', tailLines });
const { lines: screen, offset: bytes } = await manager.screen(id);
const { user, system } = process.cpuUsage(startCpu);
const ms = performance.now() - start;
answer({ ms, cpuMs: (user + system) / 1000, bytes, totalLines, tail, screen } satisfies EngineFlood);
