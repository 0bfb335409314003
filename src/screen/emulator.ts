/** Makes the terminal emulator. It knows nothing of histories. */
import { Terminal } from './headless.js';
import { defuse } from './hostile-output.js';
import { EmulatorCore } from './internals.js';
import { StringLimit } from './string-limit.js';
import { graphemeWidths } from './widths.js';

/** Where sequences that the emulator does not know are taken. */
export type EmulatorParser = Terminal['parser'];

export interface Emulator {
  readonly terminal: Terminal;
  readonly core: EmulatorCore;
  readonly strings: StringLimit;
}

/**
 * An emulator without scrollback: rows that leave the screen are for its owner to take. Widths are those
 * of grapheme clusters, as in the browser's emulator.
 */
export function createEmulator(cols: number, rows: number): Emulator {
  const terminal = new Terminal({
    cols,
    rows,
    scrollback: 0,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: { getWinSizeChars: true },
    // Or a narrower screen cuts off the line that is being written, for good.
    reflowCursorLine: true,
  });
  terminal.unicode.register(graphemeWidths);
  terminal.unicode.activeVersion = graphemeWidths.version;
  const core = new EmulatorCore(terminal);
  const strings = new StringLimit(core);
  defuse(terminal, core);
  return { terminal, core, strings };
}
