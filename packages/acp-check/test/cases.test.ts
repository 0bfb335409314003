/** Each case of the check of clients holds for a client in order, and fails where its rule alone is broken. */
import { DEEP } from '../../../test/deep.js';
import type { Case } from '../src/case.js';
import { CASES } from '../src/cases.js';
import type { Verdict } from '../src/verdict.js';
import { BreakableClient } from './fixtures/breakable-client.js';
import { checked } from './checked.js';

/** What a client in order never needs. */
const PATIENCE_MS = 20_000;
/** For what never comes: a busy machine takes less for what does. */
const SHORT_PATIENCE_MS = 3000;

/** What the agent itself can judge; the others are in check.test.ts. */
const JUDGED = CASES.filter(({ moment }) => moment !== 'after' && moment !== 'lost');

async function verdictsOf(breaks: string, cases: readonly Case[], patienceMs: number): Promise<readonly Verdict[]> {
  const report = await checked(
    async (input, output, cwd) => {
      const client = new BreakableClient(input, output, breaks, cwd);
      await client.turn();
      await client.close();
      await client.dispose();
    },
    cases,
    patienceMs,
  );
  return report.verdicts;
}

it('holds for a client in order', async () => {
  const verdicts = await verdictsOf('', JUDGED, PATIENCE_MS);
  expect(verdicts.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  expect(verdicts.map(({ name }) => name)).toEqual(JUDGED.map(({ name }) => name));
});

describe('where one rule is broken', () => {
  /** Most of them wait for what never comes: a fifth shows that the check can fail, the deep run breaks every rule. */
  const BROKEN = JUDGED.filter((_case, index) => DEEP || index % 5 === 0);
  /** Several at a time: most of them wait. */
  const LANES = 4;
  const verdicts = new Map<string, Verdict | undefined>();

  beforeAll(async () => {
    const queue = [...BROKEN];
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        verdicts.set(one.name, (await verdictsOf(one.name, [one], SHORT_PATIENCE_MS))[0]);
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
  });

  it.each(BROKEN.map(({ name }) => name))('tells %s', (name) => {
    expect(verdicts.get(name)).toMatchObject({ name, outcome: 'fail', seen: expect.stringMatching(/\w/) });
  });
});

it('is of a good size, and each case has a name of its own', () => {
  expect(CASES.length).toBeGreaterThan(60);
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});
