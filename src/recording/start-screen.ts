/** Finds out what the screen showed where a recording begins, from the output before. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TerminalManager } from '../contract/manager.js';
import type { TrackedSize } from '../contract/recording.js';
import { recordedEvents } from './events.js';

/** Only a program that drew parts of its screen before this, and never since, is shown without them. */
const MAX_BYTES_BEFORE = 4 << 20;
/** More than a sequence that has not ended can hold back. */
const TAIL_BYTES = 64 << 10;

export interface StartScreen {
  readonly snapshot: string;
  /** The last bytes before, which have had no effect yet: the beginning of a character or a sequence. */
  readonly unfinished: Uint8Array;
}

/** @param size - Where the recording begins, and the size of the screen there. */
export async function startScreen(
  manager: TerminalManager,
  id: string,
  { offset, cols, rows }: Pick<TrackedSize, 'offset' | 'cols' | 'rows'>,
): Promise<StartScreen> {
  // Imported on demand, because the module includes a terminal emulator and takes time to load.
  const { Screen } = await import('../screen/screen.js');
  const page = await manager.track(id, { fromOffset: Math.max(0, offset - MAX_BYTES_BEFORE), toOffset: offset });
  const first = page.sizes[0]!;
  const screen = new Screen(first.cols, first.rows, { onRowLeft: () => {}, onReply: () => {} });
  let tail: Buffer = Buffer.alloc(0);
  for await (const event of recordedEvents({ manager, id, page, to: offset, commands: [] })) {
    if (event.type === 'resize') screen.resize(event.cols, event.rows);
    if (event.type !== 'output') continue;
    screen.write(event.bytes);
    tail = Buffer.concat([tail, event.bytes]).subarray(-TAIL_BYTES);
    await nextTurn();
  }
  if (screen.cols !== cols || screen.rows !== rows) screen.resize(cols, rows);
  const { data, heldBack } = screen.restoration();
  screen.dispose();
  return { snapshot: data, unfinished: tail.subarray(tail.length - Math.min(heldBack, tail.length)) };
}
