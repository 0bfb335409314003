/**
 * Passes output, sizes and whole screens to the emulator in the order in which they arrive. The emulator parses output
 * later than it receives it, and a screen may have to wait for the history above it.
 */
import type { Terminal } from '@xterm/xterm';
import type { LinesAbove } from './rows.js';

export interface PaintedScreen {
  readonly cols: number;
  readonly rows: number;
  readonly data: string;
}

/** Ends a line in the default style. */
const LINE_END = '\x1b[m\r\n';

type Emulated = Pick<Terminal, 'write' | 'reset' | 'resize' | 'buffer'>;

export class Painter {
  readonly #terminal: Emulated;
  /** Resolves when the screen has been painted; null if none is being painted. */
  #painting: Promise<unknown> | null = null;

  constructor(terminal: Emulated) {
    this.#terminal = terminal;
  }

  /** Resolves when the output has been drawn. */
  write(data: Uint8Array | string): Promise<void> {
    return this.#inTurn(() => this.#put(data));
  }

  /** Calls the function when all output written so far has been drawn, and none that follows. */
  afterOutput(act: () => void): Promise<void> {
    return this.#inTurn(() => this.#put('', act));
  }

  /**
   * Replaces everything shown with this screen, below these lines.
   *
   * @param onPainted - Called before later output is drawn, with the lines that are shown, or null if none are.
   */
  paint(
    screen: PaintedScreen,
    lines: Promise<LinesAbove | null>,
    onPainted: (above: LinesAbove | null) => void,
  ): Promise<void> {
    const painted = this.#inTurn(async () => {
      const above = await lines;
      // Draws what was written before, which would otherwise be drawn on the new screen.
      await this.#put('');
      const isWhole = await this.#paintBelow(screen, above);
      onPainted(isWhole ? above : null);
    });
    const settled = painted.catch(() => undefined);
    this.#painting = settled;
    void settled.then(() => {
      if (this.#painting === settled) this.#painting = null;
    });
    return painted;
  }

  /** Returns whether the screen begins with a whole line, so that exactly the line before it is above it. */
  async #paintBelow({ cols, rows, data }: PaintedScreen, above: LinesAbove | null): Promise<boolean> {
    this.#terminal.reset();
    this.#terminal.resize(cols, rows);
    if (above && above.lines.length > 0) await this.#scrollOff(above.lines, rows);
    await this.#put(above?.screen?.join(LINE_END) ?? data);
    const { normal } = this.#terminal.buffer;
    // The beginning of the line at the top is not among the lines above.
    const isCut = normal.getLine(normal.baseY)?.isWrapped === true;
    if (isCut && above !== null) await this.#paintBelow({ cols, rows, data }, null);
    return !isCut;
  }

  /** Writes the lines, and moves them off the screen, which is then empty. */
  async #scrollOff(lines: readonly string[], rows: number): Promise<void> {
    await this.#put(lines.join(LINE_END) + LINE_END);
    const { cursorY } = this.#terminal.buffer.normal;
    await this.#put(`\x1b[${rows};1H${'\n'.repeat(cursorY)}\x1b[H`);
  }

  #put(data: Uint8Array | string, act?: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#terminal.write(data, () => {
        act?.();
        resolve();
      });
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#painting === null ? work() : this.#painting.then(work);
  }
}
