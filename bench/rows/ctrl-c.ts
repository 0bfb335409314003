/** Whether a person can stop a flood: the time from Ctrl-C until the prompt is readable, and memory meanwhile. */
import { runContender } from '../contender.js';
import type { CtrlCAnswer } from '../contenders/ctrl-c.js';
import { quantile } from '../numbers.js';
import { byTurns } from '../row.js';
import type { BenchRow } from '../row.js';

const TRIES = 20;
const FLOOD_MS = 10_000;
const QUICK_FLOOD_MS = 3000;
/**
 * What the limits allow: 4 MB of output and as much of rendered lines for the default history, plus what the runtime
 * allocates between two garbage collections.
 */
const MAX_GROWTH_MB = 64;

export const ctrlC: BenchRow = {
  name: 'ctrl-c',
  what:
    `Ctrl-C into \`yes\` in bash, until the prompt can be read: ${TRIES} times per round, after one flood of 10 ` +
    's (quick: 3) for the memory. RSS is that of the process with the engine, including the loader of the ' +
    'bench.',
  async measure(run) {
    const ask = { tries: TRIES, longFloodMs: run.isQuick ? QUICK_FLOOD_MS : FLOOD_MS };
    const { engine } = await byTurns(run, { engine: () => runContender<CtrlCAnswer>('ctrl-c', ask) });
    const at = (share: number) => engine.map(({ timesMs }) => quantile(timesMs, share));
    const growth = engine.map(({ rssPeakMb, rssBeforeMb }) => rssPeakMb - rssBeforeMb);
    return [
      { measure: 'prompt readable, p50', unit: 'ms', samples: at(0.5) },
      { measure: 'prompt readable, p95', unit: 'ms', samples: at(0.95), goal: { atMost: 100 } },
      { measure: 'RSS growth, peak', unit: 'MB', samples: growth, goal: { atMost: MAX_GROWTH_MB } },
      { measure: 'RSS before', unit: 'MB', samples: engine.map(({ rssBeforeMb }) => rssBeforeMb) },
      { measure: 'RSS after', unit: 'MB', samples: engine.map(({ rssAfterMb }) => rssAfterMb) },
    ];
  },
};
