/** A screen, its restoration on a second one, and the state that must be equal on both. */
import { NOTHING_BEFORE, printed } from '../../src/screen/joining.js';
import { Screen } from '../../src/screen/screen.js';

export class ScreenUnderTest {
  readonly screen: Screen;
  #recent = Buffer.alloc(0);

  constructor(cols: number, rows: number) {
    this.screen = new Screen(cols, rows, { onRowLeft: () => undefined, onReply: () => undefined });
  }

  write(bytes: Uint8Array): void {
    this.#recent = Buffer.concat([this.#recent, bytes]);
    this.screen.write(bytes);
  }

  /** The restoration, and the bytes to write after it. */
  get restoration(): { data: string; held: Buffer } {
    const { data, heldBack } = this.screen.restoration();
    return { data, held: this.#recent.subarray(this.#recent.length - heldBack) };
  }

  /** Returns a new screen that was given this one's restoration. */
  newcomer(): ScreenUnderTest {
    const other = new ScreenUnderTest(this.screen.cols, this.screen.rows);
    const { data, held } = this.restoration;
    other.write(Buffer.from(data));
    other.write(held);
    return other;
  }

  /**
   * Whether the cursor is after a last column that was erased after the cursor got there, with text before it. No
   * sequence produces that without moving all other rows, so the restoration leaves a space in that column.
   */
  get isBehindEmptied(): boolean {
    const { cols, cursor, lines } = this.screen.snapshot('text');
    const line = lines[cursor.y]!;
    return cursor.x === cols && line !== '' && printed(line, NOTHING_BEFORE).columns < cols;
  }

  /** Everything visible, and its restoration. */
  get state(): unknown {
    const { screen } = this;
    const { modes, ...snapshot } = screen.snapshot('ansi');
    const { data, held } = this.restoration;
    return {
      snapshot,
      // A new client must see something, however long the program takes to end its synchronized update.
      modes: { ...modes, synchronizedOutput: false },
      rows: screen.visibleRows(),
      cursorRow: screen.cursorRow,
      style: screen.style.toSgr(),
      restoration: data + held.toString(),
    };
  }
}
