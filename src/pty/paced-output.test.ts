import fc from 'fast-check';
import { PacedOutput } from './paced-output.js';

/** Creates an intake that records what it takes, for a square screen with this many cells. */
function intakeOf(cells: number, onTake = (): unknown => undefined) {
  const taken: string[] = [];
  let tell = (): void => {};
  const all = new Promise<void>((resolve) => (tell = resolve));
  const consumer = {
    take: (bytes: Uint8Array) => {
      taken.push(Buffer.from(bytes).toString());
      onTake();
    },
    size: () => ({ cols: Math.sqrt(cells), rows: Math.sqrt(cells) }),
    onBehind: () => {},
    onTaken: () => tell(),
  };
  // The intake has a pace of its own, because a test changes the clock.
  const intake = new PacedOutput(consumer, { nextTurnAt: 0 });
  return { intake, taken, all };
}

describe('paced output', () => {
  it('is delivered completely and in order, with one sequence at a time on a large screen', async () => {
    const chunk = fc.array(fc.constantFrom('a', 'bc', '\x1b', '\x1b[31m', '\u009b31m', '\r\n'), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(chunk), fc.constantFrom(1, 1920, 400_000, 1_000_000), async (chunks, cells) => {
        const { intake, taken, all } = intakeOf(cells);
        const given = chunks.map((pieces) => pieces.join(''));
        for (const text of given) intake.add(Buffer.from(text));
        if (intake.isBehind) await all;
        expect(taken.join('')).toBe(given.join(''));
        if (cells === 1_000_000) expect(taken.every((text) => text.split(/[\x1b\u009b]/).length <= 3)).toBe(true);
      }),
    );
  });

  it('is delivered in smaller pieces on a larger screen, also without sequences', async () => {
    for (const [cells, most] of [
      [1920, 64 << 10],
      [1_000_000, 2000],
    ] as const) {
      const { intake, taken, all } = intakeOf(cells);
      intake.add(Buffer.alloc(32 << 10, '\n'));
      if (intake.isBehind) await all;
      expect(Math.max(...taken.map(({ length }) => length))).toBeLessThanOrEqual(most);
      expect(taken.join('')).toHaveLength(32 << 10);
    }
  });

  it('is kept when a turn is used up, and delivered in later turns', async () => {
    const slow = { taken: '', turns: 0 };
    const over = new Promise<void>((resolve) => {
      const intake = new PacedOutput({
        take: (bytes) => {
          slow.taken += Buffer.from(bytes).toString();
          for (const until = performance.now() + 25; performance.now() < until;);
        },
        size: () => ({ cols: 1000, rows: 1000 }),
        onBehind: () =>
          setImmediate(function count() {
            slow.turns++;
            if (intake.isBehind) setImmediate(count);
          }),
        onTaken: resolve,
      });
      intake.add(Buffer.from('\x1bc'.repeat(3)));
      intake.add(Buffer.from('end'));
    });
    await over;
    expect(slow.taken).toBe('\x1bc\x1bc\x1bcend');
    expect(slow.turns).toBeGreaterThan(1);
  });

  it('is returned completely for a hand-off, and not delivered here any more', async () => {
    const { intake, taken, all } = intakeOf(1920);
    intake.addLater(Buffer.from('later'));
    intake.add(Buffer.from(' and more'));
    expect(intake.suspend().toString()).toBe('later and more');
    expect(taken).toEqual([]);
    intake.resume();
    await all;
    expect(taken.join('')).toBe('later and more');
    intake.drop();
    intake.add(Buffer.from('x'));
    expect(intake.isBehind).toBe(false);
  });

  it('is discarded if the consumer drops it in a later turn', async () => {
    const dropped = new Promise<PacedOutput>((resolve) => {
      const { intake } = intakeOf(1_000_000, () => {
        intake.drop();
        resolve(intake);
      });
      intake.addLater(Buffer.from('\x1bcone\x1bctwo'));
    });
    expect((await dropped).isBehind).toBe(false);
  });

  it('continues soon if the process was stopped within a turn', async () => {
    let hours = 0;
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + hours * 3_600_000);
    const { intake, taken, all } = intakeOf(1_000_000, () => (hours = 1));
    intake.add(Buffer.from('\x1bcone\x1bctwo'));
    await all;
    clock.mockRestore();
    expect(taken.join('')).toBe('\x1bcone\x1bctwo');
  });
});
