/**
 * Serialises the complete state of a screen as text and sequences that bring a new emulator of the same size to the
 * same state, so that all later output looks the same on both. Uses no feature that only our emulator has.
 */
import { createEmulator, type Emulator } from './emulator.js';
import { HAS_EXTENDED } from './internals.js';
import type { Charset, EmulatorBuffer, EmulatorCore, EmulatorLine } from './internals.js';
import { asInCell, kindOf, penOf, samePen, textOf } from './cells.js';
import { isSameJoining, NOTHING_BEFORE, printed } from './joining.js';
import { BufferSerializer } from './buffer-serializer.js';
import { changePen, DEFAULT_PEN, isErased, isRegular, setAllButUnderline, setPen, underlineColor } from './pen.js';
import type { Pen } from './pen.js';
import { UNDERLINE } from './row.js';

const RESET_PEN = '\x1b[m';
const SAVE_CURSOR = '\x1b7';
const RESTORE_CURSOR = '\x1b8';
const TAB_WIDTH = 8;
/** How each of the four character sets is designated and activated. */
const DESIGNATIONS = ['(', ')', '*', '+'] as const;
const SHIFTS = ['\x0f', '\x0e', '\x1bn', '\x1bo'] as const;
const ASCII = 'B';
/** The other sets, national and graphic, by the final characters of the sequences that designate them. */
const CHARSET_NAMES = '0A4C5RQKYE6ZH7=';
const CURSOR_STYLES = { block: 1, underline: 3, bar: 5 } as const;
/** Sets no cursor style; only its odd number sets blinking. */
const NO_CURSOR_STYLE = 7;
const MOUSE_TRACKING = { none: '', x10: '\x1b[?9h', vt200: '\x1b[?1000h', drag: '\x1b[?1002h', any: '\x1b[?1003h' };
const MOUSE_ENCODINGS: Readonly<Record<string, string>> = { SGR: '\x1b[?1006h', SGR_PIXELS: '\x1b[?1016h' };

export function restorationOf(emulator: Emulator, title: string): string {
  return new Restoration(emulator).write(title);
}

class Restoration {
  readonly #emulator: Emulator;
  readonly #cols: number;
  readonly #rows: number;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.#cols = emulator.terminal.cols;
    this.#rows = emulator.terminal.rows;
  }

  write(title: string): string {
    const { normal, active } = this.#buffers;
    const name = title === '' ? '' : `\x1b]2;${title}\x1b\\`;
    const behind = active === normal ? this.#leftAlternate() : this.#normalBehind();
    return name + behind + this.#painted(active) + this.#savedCursor(active) + this.#state();
  }

  get #core(): EmulatorCore {
    return this.#emulator.core;
  }

  get #buffers(): EmulatorCore['buffers'] {
    return this.#core.buffers;
  }

  /** The style of the text to be written next. */
  get #pen(): Pen {
    return this.#core.attributes;
  }

  /** The style of the text to be written next, in the form that a cell stores. */
  get #shownPen(): Pen {
    const { fg, bg, extended } = this.#pen;
    return asInCell(fg >>> 0, bg >>> 0, extended);
  }

  // --- screens --------------------------------------------------------------------------------------

  /** Restores only the saved cursor of the alternate screen, which is not shown. */
  #leftAlternate(): string {
    const saved = this.#savedCursor(this.#buffers.alt);
    return saved === '' ? '' : `\x1b[?47h${saved}\x1b[?47l\x1b[H`;
  }

  /** Returns sequences that restore the normal screen and switch from it to the alternate screen. */
  #normalBehind(): string {
    const { normal } = this.#buffers;
    // Programs save the cursor when they enter the alternate screen, so it is usually where it was saved.
    const isWhereSaved = normal.x === this.#savedColumn(normal) && normal.y === this.#savedRow(normal);
    const elsewhere = `\x1b[?47l${this.#cursor(normal, 0)}${RESET_PEN}\x1b[?47h`;
    const hasMargins = this.#margins(normal) !== '';
    return [
      this.#painted(normal),
      this.#toSaved(normal),
      '\x1b[?1049h',
      this.#fromSaved(normal),
      isWhereSaved ? '' : elsewhere,
      // Other emulators have one pair of margins for both screens.
      hasMargins ? '\x1b[r' : '',
      '\x1b[H\x1b[2J',
    ].join('');
  }

  #painted(buffer: EmulatorBuffer): string {
    return (
      new BufferSerializer(buffer, this.#cols, this.#rows).serialize() + this.#tabStops(buffer) + this.#margins(buffer)
    );
  }

  #tabStops({ tabs }: EmulatorBuffer): string {
    const columns = Array.from({ length: this.#cols }, (_, column) => column);
    if (columns.every((column) => (tabs[column] === true) === (column % TAB_WIDTH === 0))) return '';
    const stops = columns.filter((column) => tabs[column] === true);
    return `\x1b[3g${stops.map((column) => `\x1b[1;${column + 1}H\x1bH`).join('')}`;
  }

  #margins({ scrollTop, scrollBottom }: EmulatorBuffer): string {
    if (scrollTop === 0 && scrollBottom === this.#rows - 1) return '';
    return `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
  }

  // --- saved cursors --------------------------------------------------------------------------------

  #savedCursor(buffer: EmulatorBuffer): string {
    const { fg, bg } = this.#savedPen(buffer);
    const isHome = buffer.savedX === 0 && this.#savedRow(buffer) === 0;
    const isDefault = isHome && fg === 0 && bg === 0 && buffer.savedCharset === undefined;
    return isDefault ? '' : this.#toSaved(buffer) + SAVE_CURSOR + this.#fromSaved(buffer);
  }

  /** Returns sequences that turn the current state into the saved state. */
  #toSaved(buffer: EmulatorBuffer): string {
    const x = this.#savedColumn(buffer);
    const y = this.#savedRow(buffer);
    const charset = buffer.savedCharset === undefined ? '' : designate(0, buffer.savedCharset);
    return `\x1b[${y + 1};${x + 1}H${charset}${setPen(this.#savedPen(buffer))}`;
  }

  /** Returns the column of the saved cursor; a cursor saved past the last column is restored in that column. */
  #savedColumn({ savedX }: EmulatorBuffer): number {
    return Math.min(savedX, this.#cols - 1);
  }

  /** Returns the saved row, which is counted from the first row held and is not adjusted when the screen is resized. */
  #savedRow({ savedY, ybase }: EmulatorBuffer): number {
    return Math.min(Math.max(savedY - ybase, 0), this.#rows - 1);
  }

  /** Returns sequences that return from the saved state to the default state. */
  #fromSaved(buffer: EmulatorBuffer): string {
    const charset = buffer.savedCharset === undefined ? '' : designate(0, undefined);
    return charset + changePen(this.#savedPen(buffer), DEFAULT_PEN);
  }

  /**
   * Returns the saved style. Only the presence of an underline is saved; a restored cursor takes its shape from the
   * current style.
   */
  #savedPen({ savedCurAttrData: { fg, bg } }: EmulatorBuffer): Pen {
    return asInCell(fg >>> 0, bg >>> 0, undefined);
  }

  // --- everything else ------------------------------------------------------------------------------

  #state(): string {
    const { active } = this.#buffers;
    const joining = this.#joiningText(active);
    const origin = this.#core.privateModes.origin ? '\x1b[?6h' : '';
    const top = origin === '' ? 0 : active.scrollTop;
    const isBehindMargin = joining === null && active.x >= this.#cols;
    const restored = isBehindMargin && !this.#survivesPrinting(active) ? '' : this.#restored();
    const style = restored === '' ? this.#allCharsets() + setPen(this.#pen) : this.#styleBehind();
    if (joining === null) return restored + origin + this.#cursor(active, top) + style + this.#modes();
    return restored + origin + style + this.#modes() + this.#printedLast(joining, top);
  }

  /**
   * A restored cursor may have brought back a character set or an underline that no other sequence could. In that case,
   * restores the cursor here too.
   */
  #restored(): string {
    const { extended } = this.#pen;
    const hasOddCharset = this.#hasOddCharset();
    if (!hasOddCharset && isRegular(this.#pen)) return '';
    const color = RESET_PEN + underlineColor(this.#pen);
    const underline = extended!.underlineStyle === 0 ? '' : `\x1b[4:${extended!.underlineStyle}m`;
    return (hasOddCharset ? this.#allCharsets() : '') + color + underline + RESTORE_CURSOR;
  }

  /** Returns whether the restored state survives reprinting the last column without changing what is printed. */
  #survivesPrinting(buffer: EmulatorBuffer): boolean {
    const text = textOf(lineOf(buffer), this.#cols - 1);
    return isRegular(this.#pen) && this.#core.charset?.[text[0] ?? ' '] === undefined;
  }

  /** Returns the sequences for the state that a restored cursor has not brought back. */
  #styleBehind(): string {
    const pen = isRegular(this.#pen) ? setPen(this.#pen) : this.#forgottenColor() + setAllButUnderline(this.#pen);
    return (this.#hasOddCharset() ? '' : this.#allCharsets()) + pen;
  }

  /**
   * Selecting the default underline colour makes an underline without a shape lose its colour, although other colours
   * are kept.
   */
  #forgottenColor(): string {
    const { fg, bg, extended } = this.#pen;
    const isForgotten = (fg & UNDERLINE) !== 0 && (bg & HAS_EXTENDED) === 0;
    return isForgotten && extended!.underlineColor !== 0 ? `\x1b[59m${underlineColor(this.#pen)}` : '';
  }

  #hasOddCharset(): boolean {
    const { charset, charsetLevel, designatedCharsets } = this.#core;
    return charset !== designatedCharsets[charsetLevel];
  }

  #allCharsets(): string {
    const { charsetLevel, designatedCharsets: sets } = this.#core;
    const isDefault = charsetLevel === 0 && DESIGNATIONS.every((_, set) => sets[set] === undefined);
    if (isDefault) return '';
    return DESIGNATIONS.map((_, set) => (sets[set] ? designate(set, sets[set]) : '')).join('') + SHIFTS[charsetLevel];
  }

  #modes(): string {
    const { modes } = this.#emulator.terminal;
    const { options, mouseEncoding, isCursorHidden } = this.#core;
    return [
      modes.applicationCursorKeysMode ? '\x1b[?1h' : '',
      modes.applicationKeypadMode ? '\x1b=' : '',
      options.cursorBlink ? '\x1b[?12h' : '',
      modes.reverseWraparoundMode ? '\x1b[?45h' : '',
      MOUSE_TRACKING[modes.mouseTrackingMode],
      MOUSE_ENCODINGS[mouseEncoding] ?? '',
      modes.sendFocusMode ? '\x1b[?1004h' : '',
      modes.bracketedPasteMode ? '\x1b[?2004h' : '',
      options.convertEol ? '\x1b[20h' : '',
      isCursorHidden ? '\x1b[?25l' : '',
      this.#cursorStyle(),
      modes.wraparoundMode ? '' : '\x1b[?7l',
      modes.insertMode ? '\x1b[4h' : '',
    ].join('');
  }

  #cursorStyle(): string {
    const { cursorStyle, cursorBlink } = this.#core.privateModes;
    if (cursorBlink === undefined) return '';
    const blinking = cursorStyle === undefined ? NO_CURSOR_STYLE : CURSOR_STYLES[cursorStyle];
    return `\x1b[${cursorBlink ? blinking : blinking + 1} q`;
  }

  // --- the cursor -----------------------------------------------------------------------------------

  /** Positions the cursor; `top` is the row that counts as the first. */
  #cursor(buffer: EmulatorBuffer, top: number): string {
    if (buffer.x < this.#cols) return at(buffer.x, buffer.y - top);
    // The cursor gets past the last column only by printing in that column.
    const line = lineOf(buffer);
    const last = this.#cols - 1;
    const column = kindOf(line, last) === 'rest' ? last - 1 : last;
    const text = textOf(line, column);
    const pen = penOf(line, column);
    if (text !== '') return at(column, buffer.y - top) + setPen(pen) + text + changePen(pen, DEFAULT_PEN);
    // A row that was erased up to a cursor past the last column is empty. It cannot be erased from any other position
    // without moving the cursor.
    return `${at(column, buffer.y - top)} ${isEmpty(line) ? `${setPen(pen)}\x1b[1K` : ''}${RESET_PEN}`;
  }

  /** Returns the last printed character if the next one might join it; null if there is none or it cannot be found. */
  #joiningText(buffer: EmulatorBuffer): { column: number; text: string } | null {
    const joining = this.#core.joinState;
    if (joining === NOTHING_BEFORE || buffer.x === 0) return null;
    const line = lineOf(buffer);
    const column = kindOf(line, buffer.x - 1) === 'rest' ? buffer.x - 2 : buffer.x - 1;
    const text = textOf(line, column);
    const again = printed(text, NOTHING_BEFORE);
    const isIt = isSameJoining(again.after, joining) && column + again.columns === buffer.x;
    const isShownSo = this.#core.charset?.[text[0] ?? ''] === undefined;
    return isIt && isShownSo && samePen(penOf(line, column), this.#shownPen) ? { column, text } : null;
  }

  /**
   * Reprints the last printed character without a visible change: deletes it first if printing it would shift others.
   */
  #printedLast({ column, text }: { column: number; text: string }, top: number): string {
    const { active } = this.#buffers;
    const [first] = text;
    const columns = printed(first!, NOTHING_BEFORE).columns;
    const deleted = this.#core.isInserting ? `\x1b[${columns}P` : '';
    return at(column, active.y - top) + deleted + text;
  }
}

function at(x: number, y: number): string {
  return `\x1b[${y + 1};${x + 1}H`;
}

function lineOf({ lines, ybase, y }: EmulatorBuffer): EmulatorLine {
  return lines.get(ybase + y)!;
}

function isEmpty(line: EmulatorLine): boolean {
  for (let column = 0; column < line.length; column++) {
    const pen = penOf(line, column);
    if (textOf(line, column) !== '' || !isErased(pen) || pen.bg !== penOf(line, 0).bg) return false;
  }
  return true;
}

function designate(set: number, charset: Charset | undefined): string {
  return `\x1b${DESIGNATIONS[set]}${charsetName(charset)}`;
}

let charsetNames: Map<Charset, string> | null = null;

/** Returns what follows `ESC (` to designate this set. */
function charsetName(charset: Charset | undefined): string {
  charsetNames ??= askEmulator();
  return (charset && charsetNames.get(charset)) ?? ASCII;
}

/** The emulator stores only the sets, so this designates each of them once. */
function askEmulator(): Map<Charset, string> {
  const { terminal, core } = createEmulator(2, 1);
  const found = new Map<Charset, string>();
  for (const name of CHARSET_NAMES) {
    core.write(`\x1b(${name}`);
    const { charset } = core;
    if (charset) found.set(charset, name);
  }
  terminal.dispose();
  return found;
}
