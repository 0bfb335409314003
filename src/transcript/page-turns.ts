/**
 * Assembles long pages of all terminals one after the other, yielding to other work in between: while a page is being
 * assembled, it takes many times its size in memory, and many pages may be requested.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves when the most recently requested page is done. */
let last: Promise<void> = Promise.resolve();

/**
 * Runs `work`, which calls `turn` between its steps. Work that consists of a single step does not wait; longer work
 * waits until the work before it is done.
 */
export async function assembleInTurn<Result>(work: (turn: () => Promise<void>) => Promise<Result>): Promise<Result> {
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
