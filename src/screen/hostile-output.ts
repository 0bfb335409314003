/**
 * Protects an emulator against hostile programs: limits counts that would make it loop for minutes, and links and
 * combined characters that it would otherwise store without limit. The output of well-behaved programs looks the same.
 */
import type { HeadlessTerminal } from './headless.js';
import { combinedText } from './internals.js';
import type { EmulatorCore, EmulatorLine } from './internals.js';
import { isCombined } from './row.js';

/** Sequences that are executed once for each unit of their count: scroll, insert and delete lines. */
const BY_ROWS = ['S', 'T', 'L', 'M'] as const;
/** Tabs, forward and back. */
const BY_COLUMNS = ['I', 'Z'] as const;
const REPEAT = 'b';
const OSC_LINK = 8;
/** Longer than any composed character: families and flags take a dozen code units. */
const MAX_CELL_LENGTH = 64;

export function limitSequences(terminal: HeadlessTerminal, core: EmulatorCore): void {
  const limit = (final: string, most: () => number): void => {
    core.onCsi(final, (params) => (params[0] = Math.min(params[0]!, most())));
  };
  for (const final of BY_ROWS) limit(final, () => terminal.rows);
  for (const final of BY_COLUMNS) limit(final, () => terminal.cols);
  limit(REPEAT, () => terminal.rows * terminal.cols);
  // Links are never shown; the emulator would keep each one as long as its row is on the screen.
  terminal.parser.registerOscHandler(OSC_LINK, () => true);
  boundCells(core.buffers.normal.lines.get(0)!);
}

interface CellWriter {
  addCodepointToCell: (this: EmulatorLine, column: number, codePoint: number, width: number) => void;
}

const bounded = new WeakSet<object>();

/** Limits the cells of all lines, which share one prototype, by patching it once. */
function boundCells(line: EmulatorLine): void {
  const prototype = Object.getPrototypeOf(line) as CellWriter;
  if (bounded.has(prototype)) return;
  bounded.add(prototype);
  const add = prototype.addCodepointToCell;
  prototype.addCodepointToCell = function (column, codePoint, width) {
    const isFull = isCombined(this, column) && combinedText(this, column).length >= MAX_CELL_LENGTH;
    if (!isFull) add.call(this, column, codePoint, width);
  };
}
