/** Tests that a long page, which is assembled in turns with other work, equals one assembled at once. */
import fc from 'fast-check';
import { MAX_PAGE_BYTES, readOutput } from '../../src/contract/output.js';
import type { ReadRequest } from '../../src/contract/output.js';
import { Archive } from '../../src/history/archive.js';
import { readPage, readPageInTurns } from '../../src/history/page.js';
import { RevisionTracker } from '../../src/history/revision-tracker.js';
import type { HistoryView } from '../../src/history/view.js';
import { viewOf } from '../../src/transcript/view.js';
import { eventsUntil, run, startEngine, stopEngines } from '../engine/engine-under-test.js';

afterEach(stopEngines);

const LINES = 20_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function archiveOf(count: number): Archive {
  const archive = new Archive({ maxLines: 1e9, maxBytes: 1e9 });
  for (let n = 0; n < count; n++)
    archive.lines.pushText(n, n * 10, `line ${n} ${n % 1000 === 0 ? 'x'.repeat(90_000) : ''}`);
  return archive;
}

function viewing(archive: Archive): HistoryView {
  const active = { ansi: ['not final', 'neither'], resumeAt: archive.lines.next };
  const rest = { timeOf: (n: number) => 5 + n, offsetOf: () => 0 };
  return viewOf({ id: 'a', maxLines: 1e9, clearedAt: 0, archive, revisions: new RevisionTracker(), active, ...rest });
}

const request = fc
  .record({
    mode: fc.constantFrom('full', 'head', 'tail', 'head-tail'),
    format: fc.constantFrom('text', 'ansi', 'raw'),
    since: fc.nat({ max: LINES }),
    maxLines: fc.integer({ min: 1, max: 2 * LINES }),
    headLines: fc.integer({ min: 1, max: LINES }),
    tailLines: fc.integer({ min: 1, max: LINES }),
    maxBytes: fc.constantFrom(1000, 200_000, 16 << 20),
    entries: fc.boolean(),
  })
  .map((one) => readOutput.safeParse(one.format === 'raw' ? { ...one, entries: false, mode: 'full' } : one).data)
  .filter((one): one is ReadRequest => one !== undefined);

describe('a long page', () => {
  it('is the same in steps as at once, even if lines arrive meanwhile', async () => {
    const archive = archiveOf(LINES);
    const property = fc.asyncProperty(request, async (one) => {
      const view = viewing(archive);
      const atOnce = readPage(view, one);
      const inTurns = await readPageInTurns(view, one, async () => {
        archive.lines.pushText(0, 0, 'more');
        await nextTurn();
      });
      expect(inTurns).toEqual(atOnce);
    });
    await fc.assert(property, { numRuns: 60, seed: 20_261_121 });
  });

  it.each(['full', 'tail', 'head-tail'] as const)(
    'in mode %s is given up if its lines are dropped before they are read',
    async (mode) => {
      const archive = archiveOf(LINES);
      // Head and tail are tried as one piece first, from the end on, which is too large.
      const [maxBytes, kept] = mode === 'head-tail' ? [500_000, LINES / 2] : [MAX_PAGE_BYTES, 10];
      const lines = { maxLines: 2 * LINES, headLines: LINES, tailLines: LINES };
      const all = { ...readOutput.parse({ mode, maxBytes }), ...lines };
      const page = await readPageInTurns(viewing(archive), all, () => {
        archive.lines.dropBefore(LINES - kept);
        return nextTurn();
      });
      expect(page).toBeNull();
    },
  );

  it('yields to all other work in its process, and is complete', async () => {
    const manager = startEngine();
    const { id } = await run(manager, 'seq', '1', '9000');
    await eventsUntil(await manager.subscribe(id), (event) => event.type === 'end');
    let turns = 0;
    let isRead = false;
    const counting = (async () => {
      for (; !isRead; turns++) await nextTurn();
    })();
    const page = await manager.read(id, { mode: 'full', maxLines: 10_000 });
    isRead = true;
    await counting;
    expect(page.output.split('\n')).toEqual(Array.from({ length: 9000 }, (_, i) => String(i + 1)));
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
