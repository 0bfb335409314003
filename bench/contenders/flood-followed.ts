/**
 * Runs a flood in a terminal and follows all of it from another process: with a subscriber, or with a reader that
 * continues from cursor to cursor. Ends when the follower has seen the end, and the last lines and the screen have been
 * read.
 */
import { performance } from 'node:perf_hooks';
import type { TerminalManager } from '../../src/index.js';
import { answer, request } from '../contender.js';
import { untilExited } from '../engine.js';
import { openEngine } from '../hosts.js';
import type { TerminalLocation } from '../hosts.js';
import { cpuMs } from '../process-cost.js';
import { WARM_UP_BYTES } from '../reference/reference.js';
import type { EngineFlood } from './flood-engine.js';

export interface FollowRequest {
  readonly file: string;
  readonly tailLines: number;
  readonly where: TerminalLocation;
  readonly by: keyof typeof FOLLOWERS;
}

export interface FollowedFlood extends EngineFlood {
  /** CPU time of the processes that hold the terminal; `cpuMs` is the sum of theirs and the follower's. */
  readonly hostCpuMs: number;
  /** What was reported to the follower as dropped: bytes for a subscriber, lines for a reader. */
  readonly missed: number;
  /** What it received: bytes or lines. */
  readonly taken: number;
}

interface Followed {
  readonly taken: number;
  readonly missed: number;
}

const PAGE = { maxLines: 100_000, maxBytes: 4 << 20, timeoutMs: 1000 };

/** Functions that follow a terminal from its first byte to its last. */
const FOLLOWERS = {
  async subscriber(manager: TerminalManager, id: string): Promise<Followed> {
    let taken = 0;
    let missed = 0;
    for await (const event of await manager.subscribe(id, 0)) {
      if (event.type === 'output') taken += event.bytes.length;
      if (event.type === 'gap') missed += event.resumeAt - event.offset;
    }
    return { taken, missed };
  },
  async reader(manager: TerminalManager, id: string): Promise<Followed> {
    let taken = 0;
    let missed = 0;
    let page = await manager.read(id, { since: 0, ...PAGE });
    for (;;) {
      taken += page.stats.linesShown - (page.continuesLine ? 1 : 0);
      missed += page.droppedLines;
      if (!page.isActive && !page.hasMore) return { taken, missed };
      page = await manager.read(id, { cursor: page.cursor, ...PAGE });
    }
  },
};

const { file, tailLines, where, by } = request<FollowRequest>();
const { manager, hostPids, end } = openEngine(where);
const warmUp = await manager.create({ command: 'head', args: ['-c', WARM_UP_BYTES, file] });
await Promise.all([FOLLOWERS[by](manager, warmUp.id), untilExited(manager, warmUp.id)]);
await manager.remove(warmUp.id);
const start = performance.now();
const startCpu = process.cpuUsage();
const startHostCpuMs = cpuMs(hostPids());
const { id } = await manager.create({ command: 'cat', args: [file] });
const followed = await FOLLOWERS[by](manager, id);
const { output: tail, totalLines } = await manager.read(id, { mode: 'tail', tailLines });
const { lines: screen, offset: bytes } = await manager.screen(id);
const { user, system } = process.cpuUsage(startCpu);
const ms = performance.now() - start;
const hostCpuMs = cpuMs(hostPids()) - startHostCpuMs;
await end();
const own = { ms, cpuMs: hostCpuMs + (user + system) / 1000, hostCpuMs };
answer({ ...own, bytes, totalLines, tail, screen, ...followed } satisfies FollowedFlood);
