/** Keeps the last lines of a terminal: reads what has changed, at most twice a second. */
import { client } from '../access.js';
import { withPage, type Tail, EMPTY_TAIL } from './tail-lines.js';

const FIRST_LINES = 300;
const INTERVAL_MS = 500;

async function readTail(id: string, tail: Tail, signal: AbortSignal): Promise<Tail> {
  const format = { format: 'ansi', entries: true } as const;
  if (tail !== EMPTY_TAIL) {
    const page = await client.read(id, { since: tail.mutableFrom, maxLines: FIRST_LINES, ...format }, { signal });
    if (!page.hasMore) return withPage(tail, page, tail.mutableFrom);
  }
  const page = await client.read(id, { mode: 'tail', tailLines: FIRST_LINES, ...format }, { signal });
  return withPage(EMPTY_TAIL, page, 0);
}

/** Reads the tail now and after each call of `changed`. */
export function followTail(id: string, onTail: (tail: Tail) => void) {
  const abort = new AbortController();
  let tail = EMPTY_TAIL;
  let isReading = false;
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async (): Promise<void> => {
    isReading = true;
    isStale = false;
    try {
      tail = await readTail(id, tail, abort.signal);
      if (!abort.signal.aborted) onTail(tail);
    } catch {
      // The view reports a lost connection. The next change reads again.
    }
    if (!abort.signal.aborted) timer = setTimeout(rest, INTERVAL_MS);
  };
  const rest = (): void => {
    isReading = false;
    if (isStale) void read();
  };
  void read();
  return {
    changed(): void {
      isStale = true;
      if (!isReading) void read();
    },
    stop(): void {
      abort.abort();
      clearTimeout(timer);
    },
  };
}
