/** Tests that each case passes for a correct client, and fails if only its rule is broken. */
import { DEEP } from '../../../test/deep.js';
import type { Case } from '../src/case.js';
import { CASES } from '../src/cases.js';
import type { Verdict } from '../src/verdict.js';
import { BreakableClient } from './fixtures/breakable-client.js';
import { checked } from './checked.js';

/** A timeout that a correct client never reaches. */
const TIMEOUT_MS = 20_000;
/** A timeout for what never happens; what does happen takes less even on a busy machine. */
const SHORT_TIMEOUT_MS = 3000;

/** The cases that the agent itself can judge; the others are in check.test.ts. */
const JUDGED = CASES.filter(({ moment }) => moment !== 'after' && moment !== 'lost');

async function verdictsOf(breaks: string, cases: readonly Case[], timeoutMs: number): Promise<readonly Verdict[]> {
  const report = await checked(
    async (input, output, cwd) => {
      const client = new BreakableClient(input, output, breaks, cwd);
      await client.turn();
      await client.close();
      await client.dispose();
    },
    cases,
    timeoutMs,
  );
  return report.verdicts;
}

it('passes for a correct client', async () => {
  const verdicts = await verdictsOf('', JUDGED, TIMEOUT_MS);
  expect(verdicts.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  expect(verdicts.map(({ name }) => name)).toEqual(JUDGED.map(({ name }) => name));
});

describe('a client that breaks one rule', () => {
  /** Most of them wait for a timeout: a fifth shows that the check can fail, the deep run breaks every rule. */
  const BROKEN = JUDGED.filter((_case, index) => DEEP || index % 5 === 0);
  /** Runs several at a time, because most of them wait. */
  const LANES = 4;
  const verdicts = new Map<string, Verdict | undefined>();

  beforeAll(async () => {
    const queue = [...BROKEN];
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        verdicts.set(one.name, (await verdictsOf(one.name, [one], SHORT_TIMEOUT_MS))[0]);
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
  });

  it.each(BROKEN.map(({ name }) => name))('is reported by %s', (name) => {
    expect(verdicts.get(name)).toMatchObject({ name, outcome: 'fail', seen: expect.stringMatching(/\w/) });
  });
});

it('has a reasonable number of cases with unique names', () => {
  expect(CASES.length).toBeGreaterThan(60);
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});
