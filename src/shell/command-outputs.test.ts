import type { LoggedCommand } from './command-log.js';
import { CommandOutputs } from './command-outputs.js';

/** About 15 MB when rendered, so that four fit into the limit for a process. */
const LARGE = Buffer.from(`\x1b[2J${`${'x'.repeat(999)}\r\n`.repeat(14_000)}`);
const SMALL = Buffer.from('\x1b[2Jsmall\r\n');
const SIZE = { cols: 80, rows: 24 };

const commandOf = (bytes: Buffer, toOffset: number | null = bytes.length) =>
  ({ commandId: 1, fromOffset: 0, toOffset, sizes: [] }) as unknown as LoggedCommand;

function outputsOf(
  bytes: Buffer,
  find = (): LoggedCommand => commandOf(bytes),
  endNow = (): number => bytes.length,
): CommandOutputs {
  const terminal = {
    ...{ id: 't', outputStart: 0, size: SIZE },
    get outputEnd() {
      return endNow();
    },
    bytesFrom: (from: number, max: number): Uint8Array => bytes.subarray(from, from + max),
  };
  return new CommandOutputs(terminal, find);
}

it('keeps the most recently read outputs of a process rendered, and bounds their memory', async () => {
  const terminals = Array.from({ length: 6 }, () => outputsOf(LARGE));
  const first = [];
  for (const outputs of terminals) first.push(await outputs.current(1));
  expect(await terminals[5]!.current(1)).toBe(first[5]);
  expect(await terminals[0]!.current(1)).not.toBe(first[0]);
  expect(first[0]!.heldBytes).toBeGreaterThan(14_000_000);
});

it('does not count small outputs, of which a few per terminal stay', async () => {
  const outputs = outputsOf(SMALL);
  const first = await outputs.current(1);
  for (let id = 2; id <= 4; id++) await outputs.current(id);
  expect(await outputs.current(1)).toBe(first);
  for (let id = 5; id <= 8; id++) await outputs.current(id);
  expect(await outputs.current(1)).not.toBe(first);
});

it('includes nothing printed after the end of a command, even if the command ends while a reader waits', async () => {
  const own = Buffer.from(`\x1b[2J${'output\r\n'.repeat(100_000)}`);
  const bytes = Buffer.concat([own, Buffer.from('$ echo next\r\nnext\r\n')]);
  let isOver = false;
  const find = (): LoggedCommand => commandOf(bytes, isOver ? own.length : null);
  const outputs = outputsOf(bytes, find, () => (isOver ? bytes : own).length);
  const reads = [outputs.current(1), outputs.current(1)];
  await new Promise(setImmediate);
  isOver = true;
  const [, output] = await Promise.all(reads);
  const { total } = output!.view();
  expect([total, output!.view().text(total - 1)]).toEqual([100_000, 'output']);
});

it('answers the next reader after the record of a command was gone for one', async () => {
  let isGone = true;
  const outputs = outputsOf(SMALL, () => {
    if (isGone) throw new Error('gone');
    return commandOf(SMALL);
  });
  await expect(outputs.current(1)).rejects.toThrow('gone');
  isGone = false;
  expect((await outputs.current(1)).view().total).toBe(1);
});

it('keeps nothing of a terminal that has been removed', async () => {
  const outputs = outputsOf(LARGE);
  const first = await outputs.current(1);
  outputs.clear();
  const others = Array.from({ length: 4 }, () => outputsOf(LARGE));
  const kept = [];
  for (const other of others) kept.push(await other.current(1));
  expect(await Promise.all(others.map((other) => other.current(1)))).toEqual(kept);
  expect(await outputs.current(1)).not.toBe(first);
});

it('takes back what was rendered after the end of the command, and tells readers that it has changed', async () => {
  const bytes = Buffer.from('\x1b[mone\r\necho ahead\r\n');
  const end = bytes.indexOf('echo');
  let toOffset: number | null = null;
  const outputs = outputsOf(bytes, () => commandOf(bytes, toOffset));
  const early = (await outputs.current(1)).view();
  expect([early.text(0), early.text(1)]).toEqual(['one', 'echo ahead']);
  const { revision } = early;
  toOffset = end;
  const late = (await outputs.current(1)).view();
  expect([late.total, late.text(0)]).toEqual([1, 'one']);
  expect(late.firstChangeSince(revision, 2)).toBe(1);
});
