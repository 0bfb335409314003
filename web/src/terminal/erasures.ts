/**
 * Keeps rows that a program erases together with the whole screen. As in the history on the server, they are moved
 * above the screen, so that the rows above a screen are always those of the history.
 */
import type { Terminal } from '@xterm/xterm';
import { scrollOff } from './xterm-internals.js';

type Erased = Pick<Terminal, 'buffer' | 'parser' | 'rows'>;

const ERASE_BELOW = 0;
const ERASE_ALL = 2;

function usedRows({ buffer: { active }, rows }: Erased): number {
  let used = rows;
  while (used > active.cursorY && (active.getLine(active.baseY + used - 1)?.translateToString(true) ?? '') === '')
    used--;
  return used;
}

/** @param onReset - Called when the program resets the emulator, which discards all rows. */
export function keepErasedRows(terminal: Erased, onReset: () => void): void {
  terminal.parser.registerCsiHandler({ final: 'J' }, ([kind]) => {
    const { active } = terminal.buffer;
    const isHome = active.cursorX === 0 && active.cursorY === 0;
    const isWhole = kind === ERASE_ALL || (kind === ERASE_BELOW && isHome);
    if (isWhole && active.type === 'normal') scrollOff(terminal, usedRows(terminal));
    return false;
  });
  terminal.parser.registerEscHandler({ final: 'c' }, () => {
    onReset();
    return false;
  });
}
