import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalRecord } from '../store/terminal-record.js';
import { HistorySaver } from './history-saver.js';
import { Transcript } from './transcript.js';

const MAX_MEMORY_BYTES = 64 << 10;
/** Size of the steps that output is held and dropped in. */
const STEPS_BYTES = 128 << 10;
const LINES = 100_000;

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-saver-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('data that waited for the disk is released once saved, even if nothing more is printed', async () => {
  const limits = { maxLines: 1000, maxBytes: MAX_MEMORY_BYTES };
  const transcript = new Transcript({ id: 'a', cols: 80, rows: 24, ...limits, now: () => 0, onReply: () => undefined });
  const saver = new HistorySaver(transcript, {
    ...{ directory: join(directory, 'a'), isBegun: false, maxDiskBytes: 256 << 20 },
    record: () => ({ tail: transcript.tail() }) as TerminalRecord,
    onBehind: () => undefined,
    onProblem: () => undefined,
  });
  // Synchronous: nothing can be saved meanwhile.
  for (let n = 1; n <= LINES; n++) {
    transcript.append(Buffer.from(`${n}\r\n`));
    saver.noteChange();
  }
  transcript.finish();
  expect(transcript.inMemoryFrom.line).toBe(0);
  await saver.flush();
  expect(saver.problem).toBeNull();
  expect(transcript.heldBytes).toBeLessThan(MAX_MEMORY_BYTES + STEPS_BYTES);
  expect(transcript.inMemoryFrom.line).toBeGreaterThan(LINES / 2);
  const view = transcript.view();
  expect([0, LINES / 2, LINES - 1].map((n) => view.text(n))).toEqual(['1', String(LINES / 2 + 1), String(LINES)]);
  await saver.close();
});
