import { jest } from '@jest/globals';
import fc from 'fast-check';
import { PacedIntake } from './paced-intake.js';

/** Records what it takes, for a square screen with so many cells. */
function intakeOf(cells: number, onTake = (): unknown => undefined) {
  const taken: string[] = [];
  let tell = (): void => {};
  const all = new Promise<void>((resolve) => (tell = resolve));
  const intake = new PacedIntake({
    take: (bytes) => {
      taken.push(Buffer.from(bytes).toString());
      onTake();
    },
    size: () => ({ cols: Math.sqrt(cells), rows: Math.sqrt(cells) }),
    onBehind: () => {},
    onTaken: () => tell(),
  });
  return { intake, taken, all };
}

describe('what a program writes', () => {
  it('is taken whole and in order, with one sequence at a time for a large screen', async () => {
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

  it('is taken in smaller pieces the larger the screen is, also without sequences', async () => {
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

  it('is kept where a turn is used up, and taken in later ones', async () => {
    const slow = { taken: '', turns: 0 };
    const over = new Promise<void>((resolve) => {
      const intake = new PacedIntake({
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

  it('is given back whole to whoever goes on with it, and not taken here any more', async () => {
    const { intake, taken, all } = intakeOf(1920);
    intake.addLater(Buffer.from('later'));
    intake.add(Buffer.from(' and more'));
    expect(intake.suspend().toString()).toBe('later and more');
    expect(taken).toEqual([]);
    intake.goOn();
    await all;
    expect(taken.join('')).toBe('later and more');
    intake.drop();
    intake.add(Buffer.from('x'));
    expect(intake.isBehind).toBe(false);
  });

  it('is forgotten where whoever takes it gives up in a later turn', async () => {
    const dropped = new Promise<PacedIntake>((resolve) => {
      const { intake } = intakeOf(1_000_000, () => {
        intake.drop();
        resolve(intake);
      });
      intake.addLater(Buffer.from('\x1bcone\x1bctwo'));
    });
    expect((await dropped).isBehind).toBe(false);
  });

  it('is taken on soon where the process was stopped within a turn', async () => {
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
