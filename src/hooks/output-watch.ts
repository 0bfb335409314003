/**
 * Watches terminal output for one hook, to detect a pattern or silence. Each search continues where the previous one
 * ended.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WaitResult } from '../contract/command.js';
import type { HookRequest } from '../contract/hooks.js';
import { TerminalError } from '../errors.js';
import { roundedDuration } from '../duration.js';
import { withTimeLimit } from '../wait/time-limit.js';
import type { Occurrence } from './occurrence.js';
import type { OutputNews } from './output-news.js';
import { Slots } from './slots.js';

/** Maximum number of matches per second in one terminal. If there are more, the output of that second is skipped. */
const MAX_MATCHES = 10;
const SECOND_MS = 1000;
/** After an error, such as a host that is not responding, pauses double from the first value to the second. */
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 10_000;

/** Where to start watching a terminal. */
export interface WatchStart {
  /** Offset where new output begins; undefined means the current end. */
  readonly from: number | undefined;
  /**
   * Whether matches in the existing output are reported as late, because they occurred before this process watched the
   * terminal.
   */
  readonly isLate: boolean;
}

export interface OutputWatchOptions {
  readonly news: OutputNews;
  readonly request: HookRequest;
  /** For `match`: how far the output of each terminal has been searched. Searches continue there and update it. */
  readonly offsets: Record<string, number>;
  readonly report: (occurrence: Occurrence, isLate: boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class OutputWatch {
  readonly #options: OutputWatchOptions;
  /** Terminals being watched; aborting a controller ends the watch. */
  readonly #watched = new Map<string, AbortController>();
  /** Runs one search at a time, so that other hooks wait for at most one expensive search of this hook. */
  readonly #searches = new Slots(1);

  constructor(options: OutputWatchOptions) {
    this.#options = options;
  }

  /** Starts watching a terminal, unless it is already being watched. */
  begin(id: string, start: WatchStart): void {
    if (this.#watched.has(id)) return;
    const end = new AbortController();
    this.#watched.set(id, end);
    const { on } = this.#options.request;
    if (on.includes('match')) void this.#keep(id, end.signal, () => this.#match(id, end.signal, start));
    if (on.includes('quiet')) void this.#keep(id, end.signal, () => this.#quiet(id, end.signal));
  }

  end(id: string): void {
    this.#watched.get(id)?.abort();
    this.#watched.delete(id);
  }

  close(): void {
    for (const id of this.#watched.keys()) this.end(id);
  }

  /** Retries a failed watch until the terminal is gone. */
  async #keep(id: string, signal: AbortSignal, watch: () => Promise<void>): Promise<void> {
    for (let pauseMs = RETRY_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS)) {
      const began = performance.now();
      try {
        return await watch();
      } catch (error) {
        if (signal.aborted || isCode(error, 'TERMINAL_NOT_FOUND')) return;
        // The offset is beyond the end, because output was lost with its host.
        if (isCode(error, 'INVALID_INPUT')) delete this.#options.offsets[id];
        this.#options.onError(error);
        if (performance.now() - began > LONGEST_RETRY_MS) pauseMs = RETRY_MS;
        await pause(pauseMs, signal);
      }
    }
  }

  async #match(id: string, signal: AbortSignal, { from, isLate }: WatchStart): Promise<void> {
    const { news, request, offsets } = this.#options;
    const presentEnd = await news.endOf(id, signal);
    let start = (offsets[id] ??= Math.min(from ?? presentEnd, presentEnd));
    let seen = { end: presentEnd, isOver: false };
    for (const rate = new MatchRate(); !signal.aborted;) {
      const found = await this.#find(id, request.pattern!, start, signal);
      if (signal.aborted) return;
      if (found.match !== null) await this.#matched(id, found, isLate && found.offset <= presentEnd);
      // After `close`, the match may not have been reported, so the offset must not move past it.
      if (signal.aborted) return;
      const isSearched = found.match === null && found.offset === start;
      start = offsets[id] = found.offset;
      if (isSearched) {
        const more = seen.isOver ? null : await news.after(id, seen.end, signal);
        if (more === null) return;
        seen = more;
      }
      if (found.match === null || !rate.isExceededByNext()) continue;
      await pause(SECOND_MS, signal);
      if (!signal.aborted) start = offsets[id] = await news.endOf(id, signal);
    }
  }

  async #find(id: string, pattern: string, start: number, signal: AbortSignal): Promise<WaitResult> {
    const release = await this.#searches.take(signal);
    return this.#options.news.find(id, pattern, start, signal).finally(release);
  }

  #matched(id: string, { match, offset }: WaitResult, isLate: boolean): Promise<void> {
    const { pattern, include } = this.#options.request;
    // The matching text is output, so it is included only if the hook includes output.
    const facts = { pattern, offset, ...(include !== undefined && { match }) };
    return this.#options.report(occurrence(id, 'match', offset, `printed ${pattern}`, facts), isLate);
  }

  async #quiet(id: string, signal: AbortSignal): Promise<void> {
    const { news, report } = this.#options;
    const quietMs = this.#options.request.quietMs!;
    for (let end = await news.endOf(id, signal); !signal.aborted;) {
      const since = end;
      const more = await withTimeLimit(quietMs, signal, (late) => news.after(id, since, late));
      if (signal.aborted || more?.isOver) return;
      end = more?.end ?? (await news.endOf(id, signal));
      // Output that is not visible, such as a change of the title, also ends silence.
      if (more !== null || end !== since) continue;
      const text = `has printed nothing for ${roundedDuration(quietMs)}`;
      await report(occurrence(id, 'quiet', end, text, { quietMs, offset: end }), false);
      const next = await news.after(id, end, signal);
      if (next === null || next.isOver) return;
      ({ end } = next);
    }
  }
}

/** Counts the matches of one terminal. */
class MatchRate {
  #matches = 0;
  #since = 0;

  isExceededByNext(): boolean {
    if (performance.now() - this.#since > SECOND_MS) [this.#matches, this.#since] = [0, performance.now()];
    return ++this.#matches >= MAX_MATCHES;
  }
}

function occurrence(
  terminalId: string,
  type: 'match' | 'quiet',
  offset: number,
  text: string,
  facts: Occurrence['facts'],
): Occurrence {
  return { type, terminalId, key: `${type}-${offset}`, at: new Date().toISOString(), text, facts };
}

function isCode(error: unknown, code: TerminalError['code']): boolean {
  return error instanceof TerminalError && error.code === code;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
