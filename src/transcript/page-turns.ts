/**
 * Long pages of all terminals are put together one after the other, with a turn for everything else in between: each
 * takes many times its size while it is made, and many may be asked for. It knows no page.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves when the page that came last is made. */
let last: Promise<void> = Promise.resolve();

/**
 * Does `work`, which calls `turn` between its steps: what is done in one step waits for nobody, what takes more waits
 * until those before it are done.
 */
export async function inTurns<Result>(work: (turn: () => Promise<void>) => Promise<Result>): Promise<Result> {
  let leave: (() => void) | undefined;
  const turn = async (): Promise<void> => {
    if (leave === undefined) {
      const before = last;
      last = new Promise((resolve) => (leave = resolve));
      await before;
    }
    await nextTurn();
  };
  return work(turn).finally(() => leave?.());
}
