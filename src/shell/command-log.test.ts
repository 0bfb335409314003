import { CommandLog, MAX_KEPT_SIZES } from './command-log.js';
import type { CommandStart } from './command-log.js';

const START: Omit<CommandStart, 'commandId' | 'fromOffset'> = {
  text: 'true',
  origin: 'exec',
  started: 0,
  startCwd: null,
  fromLine: 0,
  between: [],
  within: null,
};
const END = { exitCode: 0, signal: null, via: 'marker', cwd: null, toLine: 0, ended: 1 } as const;

describe('the screen sizes of a command', () => {
  it('are the first one and those set while it ran, each with its offset', () => {
    const log = new CommandLog();
    log.resized(0, 80, 24);
    log.begin({ ...START, commandId: 1, fromOffset: 10 });
    log.resized(20, 60, 24);
    log.resized(20, 40, 24);
    log.resized(30, 40, 24);
    log.begin({ ...START, commandId: 2, fromOffset: 40, within: 1 });
    log.end(2, { ...END, toOffset: 50 });
    log.resized(60, 100, 24);
    log.end(1, { ...END, toOffset: 70 });
    log.resized(80, 20, 24);
    const sizesOf = (id: number) => log.find(id)!.sizes.map(({ offset, cols }) => [offset, cols]);
    expect(sizesOf(1)).toEqual([[10, 80], [20, 40], [60, 100]]); // prettier-ignore
    expect(sizesOf(2)).toEqual([[40, 40]]);
  });

  it('are limited: the first and the newest are kept', () => {
    const log = new CommandLog();
    log.resized(0, 1, 24);
    log.begin({ ...START, commandId: 1, fromOffset: 0 });
    for (let n = 1; n <= 3 * MAX_KEPT_SIZES; n++) log.resized(n, n + 1, 24);
    const { sizes } = log.find(1)!;
    expect([sizes.length, sizes[0]!.cols, sizes[1]!.offset]).toEqual([MAX_KEPT_SIZES, 1, 2 * MAX_KEPT_SIZES + 2]);
    expect(sizes.at(-1)).toMatchObject({ offset: 3 * MAX_KEPT_SIZES });
  });

  it('are unknown if none was recorded', () => {
    const log = new CommandLog();
    log.begin({ ...START, commandId: 1, fromOffset: 0 });
    expect(log.find(1)!.sizes).toEqual([]);
  });
});
