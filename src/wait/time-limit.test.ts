import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withTimeLimit } from './time-limit.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Resolves with a value when the signal aborts. */
function untilAborted(end: AbortSignal): Promise<string> {
  return new Promise((resolve) => end.addEventListener('abort', () => resolve('aborted')));
}

describe('a wait with a time limit', () => {
  it('ends on time, even if garbage is collected meanwhile', async () => {
    const giveUp = new AbortController();
    const waiting = withTimeLimit(50, giveUp.signal, untilAborted);
    collectGarbage();
    expect(await waiting).toBe('aborted');
  });

  it('ends when its caller gives up, or has given up already', async () => {
    const giveUp = new AbortController();
    const waiting = withTimeLimit(60_000, giveUp.signal, untilAborted);
    giveUp.abort();
    expect(await waiting).toBe('aborted');
    expect(await withTimeLimit(60_000, giveUp.signal, async (end) => end.aborted)).toBe(true);
  });

  it('ends everything that it started when it is over, or has failed', async () => {
    let end: AbortSignal | undefined;
    expect(await withTimeLimit(60_000, undefined, async (signal) => ((end = signal), 1))).toBe(1);
    expect(end?.aborted).toBe(true);
    const failing = withTimeLimit(60_000, undefined, async (signal) => {
      end = signal;
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(end?.aborted).toBe(true);
  });
});
