import type { LoggedCommand } from './command-log.js';
import { CommandOutputs } from './command-outputs.js';

/** About 16 MB when rendered, so that four fit into the limit for a process. */
const LARGE = Buffer.from(`\x1b[2J${`${'x'.repeat(999)}\r\n`.repeat(14_000)}`);

function outputsOf(bytes: Buffer): CommandOutputs {
  const bytesFrom = (from: number, max: number): Uint8Array => bytes.subarray(from, from + max);
  return new CommandOutputs({
    id: 't',
    outputStart: 0,
    outputEnd: bytes.length,
    size: { cols: 80, rows: 24 },
    bytesFrom,
  });
}

const command = (bytes: Buffer, commandId = 1) =>
  ({ commandId, fromOffset: 0, toOffset: bytes.length, sizes: [] }) as unknown as LoggedCommand;

it('keeps the most recently read outputs of a process rendered, and bounds their memory', async () => {
  const terminals = Array.from({ length: 6 }, () => outputsOf(LARGE));
  const first = [];
  for (const outputs of terminals) first.push(await outputs.upTo(command(LARGE)));
  expect(await terminals[5]!.upTo(command(LARGE))).toBe(first[5]);
  expect(await terminals[0]!.upTo(command(LARGE))).not.toBe(first[0]);
  expect(first[0]!.heldBytes).toBeGreaterThan(14_000_000);
});

it('does not count small outputs, of which a few per terminal stay', async () => {
  const small = Buffer.from('\x1b[2Jsmall\r\n');
  const outputs = outputsOf(small);
  const first = await outputs.upTo(command(small));
  for (let id = 2; id <= 4; id++) await outputs.upTo(command(small, id));
  expect(await outputs.upTo(command(small))).toBe(first);
  for (let id = 5; id <= 8; id++) await outputs.upTo(command(small, id));
  expect(await outputs.upTo(command(small))).not.toBe(first);
});
