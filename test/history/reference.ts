/**
 * A reference implementation of a history: one emulator fed character by character, whose rows are recorded at the
 * moment they leave the screen. Slow, and independent of the optimizations of the real one.
 */
import { createEmulator } from '../../src/screen/emulator.js';
import { dropAbove, resizeEmulator } from '../../src/screen/resize.js';
import { rowAnsi } from '../../src/screen/row.js';
import type { Emulator } from '../../src/screen/emulator.js';
import { cutOffLength } from '../../src/utf8.js';

export class ReferenceHistory {
  readonly #emulator: Emulator;
  readonly #finalLines: string[] = [];
  #open: string | null = null;
  readonly #character: number[] = [];

  constructor(cols: number, rows: number) {
    this.#emulator = createEmulator(cols, rows);
    const { terminal, core } = this.#emulator;
    core.onScroll(() => {
      if (terminal.buffer.active.type === 'normal' && core.buffers.normal.scrollTop === 0) this.#leave(0);
    });
    terminal.parser.registerCsiHandler({ final: 'J' }, (params) => {
      const { type, cursorX, cursorY } = terminal.buffer.active;
      const isHome = cursorX === 0 && cursorY === 0;
      if (type === 'normal' && (params[0] === 2 || (params[0] === 0 && isHome))) this.#leaveAll();
      return false;
    });
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.#leaveAll();
      return false;
    });
  }

  /** Writes one character at a time, because the emulator loses some characters whose bytes arrive one by one. */
  feed(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#character.push(byte);
      if (cutOffLength(Uint8Array.from(this.#character)) > 0) continue;
      this.#emulator.core.write(Buffer.from(this.#character).toString('utf8'));
      this.#character.length = 0;
    }
  }

  resize(cols: number, rows: number): void {
    resizeEmulator(this.#emulator, cols, rows);
    const { baseY } = this.#emulator.terminal.buffer.normal;
    for (let y = 0; y < baseY; y++) this.#leave(y - baseY);
    dropAbove(this.#emulator);
  }

  get lines(): string[] {
    const lines = [...this.#finalLines];
    let open = this.#open;
    const used = this.#usedRows();
    for (let y = 0; y < used; y++) {
      const { text, isWrapped } = this.#row(y);
      if (!isWrapped && open !== null) lines.push(open);
      open = isWrapped && open !== null ? open + text : text;
    }
    if (open !== null) lines.push(open);
    return lines;
  }

  /** The present screen: rows with colours, cursor and modes. */
  get screen(): unknown {
    const { terminal, core } = this.#emulator;
    const { active } = core.buffers;
    const rows = Array.from({ length: terminal.rows }, (_, y) => {
      const line = active.lines.get(active.ybase + y)!;
      return rowAnsi(line, line.getTrimmedLength());
    });
    const { cursorX, cursorY, type } = terminal.buffer.active;
    return { rows, cursorX, cursorY, type };
  }

  #usedRows(): number {
    const { terminal } = this.#emulator;
    const buffer = terminal.buffer.normal;
    let used = buffer.cursorY;
    for (let y = used; y < terminal.rows; y++) {
      if (buffer.getLine(buffer.baseY + y)!.translateToString(true) !== '') used = y + 1;
    }
    return used;
  }

  #row(y: number): { text: string; isWrapped: boolean; continues: boolean } {
    const { rows } = this.#emulator.terminal;
    const buffer = this.#emulator.terminal.buffer.normal;
    const line = buffer.getLine(buffer.baseY + y)!;
    const next = y + 1 < rows ? buffer.getLine(buffer.baseY + y + 1) : undefined;
    const continues = next?.isWrapped ?? false;
    if (!continues) return { text: line.translateToString(true), isWrapped: line.isWrapped, continues };
    const last = line.getCell(line.length - 1)!;
    const hasGap = last.getChars() === '' && last.getWidth() === 1 && next!.getCell(0)!.getWidth() === 2;
    const text = line.translateToString(false, 0, hasGap ? line.length - 1 : line.length);
    return { text, isWrapped: line.isWrapped, continues };
  }

  #leave(y: number): void {
    const { text, isWrapped, continues } = this.#row(y);
    if (!isWrapped && this.#open !== null) this.#close();
    this.#open = isWrapped && this.#open !== null ? this.#open + text : text;
    if (!continues) this.#close();
  }

  #leaveAll(): void {
    const used = this.#usedRows();
    for (let y = 0; y < used; y++) this.#leave(y);
  }

  #close(): void {
    this.#finalLines.push(this.#open!);
    this.#open = null;
  }
}
