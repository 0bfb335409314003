/** Renders a recording as the lines that it shows, as on a screen of its own. */
import { stripSgr } from '../history/line-text.js';
import { Screen, type Row } from '../screen/screen.js';
import type { Recording } from './recording.js';

/** Yields the lines of the normal screen, each when it can no longer change. What scrolled off before is left out. */
export async function* renderedLines({ head, events }: Recording, format: 'text' | 'ansi'): AsyncGenerator<string> {
  const lines = new RowJoiner();
  const onRowLeft = (row: Row): void => lines.add(row);
  const screen = new Screen(head.cols, head.rows, { onRowLeft, onReply: () => {} });
  const asText = (line: string): string => `${format === 'ansi' ? line : stripSgr(line)}\n`;
  try {
    for await (const event of events) {
      if (event.type === 'output') screen.write(event.bytes);
      else if (event.type === 'resize') screen.resize(event.cols, event.rows);
      yield lines.taken().map(asText).join('');
    }
    for (const row of screen.visibleRows()) lines.add(row);
    lines.end();
    yield lines.taken().map(asText).join('');
  } finally {
    screen.dispose();
  }
}

/** Joins the rows of a line that was wrapped. */
class RowJoiner {
  #lines: string[] = [];
  #open: string | null = null;

  add({ ansi, isWrapped, continues }: Row): void {
    if (!isWrapped) this.end();
    this.#open = (this.#open ?? '') + ansi;
    if (!continues) this.end();
  }

  end(): void {
    if (this.#open !== null) this.#lines.push(this.#open);
    this.#open = null;
  }

  taken(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}
