/** A screen, its restoration on a second one, and all that must be equal on both. */
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

  /** The restoration, with what is to be written after it. */
  get restoration(): { data: string; held: Buffer } {
    const { data, heldBack } = this.screen.restoration();
    return { data, held: this.#recent.subarray(this.#recent.length - heldBack) };
  }

  /** Another screen that was given the restoration of this one, as a newcomer is. */
  newcomer(): ScreenUnderTest {
    const other = new ScreenUnderTest(this.screen.cols, this.screen.rows);
    const { data, held } = this.restoration;
    other.write(Buffer.from(data));
    other.write(held);
    return other;
  }

  /**
   * Whether the cursor is behind a last column that was emptied after it came there, with text before: no
   * sequence brings that about without moving all other rows, so a space is left in that column.
   */
  get isBehindEmptied(): boolean {
    const { cols, cursor, lines } = this.screen.snapshot('text');
    const line = lines[cursor.y]!;
    return cursor.x === cols && line !== '' && printed(line, NOTHING_BEFORE).columns < cols;
  }

  /** Everything that can be seen of it, and its restoration. */
  get state(): unknown {
    const { screen } = this;
    const { modes, ...snapshot } = screen.snapshot('ansi');
    const { data, held } = this.restoration;
    return {
      snapshot,
      // A newcomer is to see something, however long the program takes to end its update.
      modes: { ...modes, synchronizedOutput: false },
      rows: screen.visibleRows(),
      cursorRow: screen.cursorRow,
      style: screen.style.toSgr(),
      restoration: data + held.toString(),
    };
  }
}
