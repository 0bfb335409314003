/** Creates the terminal emulator. */
import { HeadlessTerminal } from './headless.js';
import { limitSequences } from './hostile-output.js';
import { EmulatorCore } from './internals.js';
import { StringLimit } from './string-limit.js';
import { graphemeWidths } from './widths.js';

/** Accepts handlers for sequences that the emulator does not support. */
export type EmulatorParser = HeadlessTerminal['parser'];

export interface Emulator {
  readonly terminal: HeadlessTerminal;
  readonly core: EmulatorCore;
  readonly strings: StringLimit;
}

/**
 * Creates an emulator without scrollback: its owner takes the rows that leave the screen. Widths are measured by
 * grapheme cluster, as in the browser's emulator.
 */
export function createEmulator(cols: number, rows: number): Emulator {
  const terminal = new HeadlessTerminal({
    cols,
    rows,
    scrollback: 0,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: { getWinSizeChars: true },
    // Otherwise a narrower screen permanently truncates the line that is being written.
    reflowCursorLine: true,
  });
  terminal.unicode.register(graphemeWidths);
  terminal.unicode.activeVersion = graphemeWidths.version;
  const core = new EmulatorCore(terminal);
  const strings = new StringLimit(core);
  limitSequences(terminal, core);
  return { terminal, core, strings };
}
