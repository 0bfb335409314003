/**
 * Measures the time from Ctrl-C during an endless flood in a shell until the prompt is readable, and memory meanwhile.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { answer, request } from '../contender.js';
import { LocalTerminalManager, untilNewestLine } from '../engine.js';
import { BYTES_PER_MB } from '../numbers.js';

export interface CtrlCAnswer {
  readonly timesMs: readonly number[];
  readonly rssBeforeMb: number;
  readonly rssPeakMb: number;
  readonly rssAfterMb: number;
}

/** Long enough for the flood to reach full speed. */
const SHORT_FLOOD_MS = 250;
const RSS_INTERVAL_MS = 25;
const PROMPT = 'bench>';

const { tries, longFloodMs } = request<{ tries: number; longFloodMs: number }>();
const rssMb = (): number => process.memoryUsage.rss() / BYTES_PER_MB;

const manager = new LocalTerminalManager();
const args = ['--norc', '--noprofile', '-i'];
const { id } = await manager.create({ shell: 'bash', args, env: { PS1: `${PROMPT} ` } });
await untilNewestLine(manager, id, PROMPT);

const rssBeforeMb = rssMb();
let rssPeakMb = rssBeforeMb;
const sampling = setInterval(() => (rssPeakMb = Math.max(rssPeakMb, rssMb())), RSS_INTERVAL_MS);
await interruptFlood(longFloodMs);
const timesMs: number[] = [];
for (let i = 0; i < tries; i++) timesMs.push(await interruptFlood(SHORT_FLOOD_MS));
clearInterval(sampling);
const rssAfterMb = rssMb();
await manager.shutdown(0);
answer({ timesMs, rssBeforeMb, rssPeakMb, rssAfterMb } satisfies CtrlCAnswer);

async function interruptFlood(floodMs: number): Promise<number> {
  await manager.write(id, { input: 'yes' });
  await delay(floodMs);
  const start = performance.now();
  await manager.write(id, { keys: ['ctrl-c'] });
  await untilNewestLine(manager, id, PROMPT);
  return performance.now() - start;
}
