/**
 * Watches the output of terminals for one hook: a pattern that is printed, and silence. Each is one pending wait per
 * terminal, which continues where the previous one ended. Independent of how events are delivered.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WaitResult } from '../contract/command.js';
import type { HookRequest } from '../contract/hooks.js';
import type { TerminalManager } from '../contract/manager.js';
import { MAX_WAIT_MS } from '../contract/output.js';
import { TerminalError } from '../errors.js';
import { roundedDuration } from '../duration.js';
import type { Occurrence } from './occurrence.js';

/** Matches that one terminal may have in a second. If it has more, the output of that second is skipped. */
const MAX_MATCHES = 10;
const SECOND_MS = 1000;
/** After an error, such as a host that does not respond. */
const RETRY_MS = 1000;
const ANY_OUTPUT = '(?s).';

/** Where a terminal begins to be watched. */
export interface WatchStart {
  /** Offset where new output begins; undefined: its end now. */
  readonly from: number | undefined;
  /** Whether matches in the present output happened before this process watched it. */
  readonly isLate: boolean;
}

export interface OutputWatchOptions {
  readonly manager: TerminalManager;
  readonly request: HookRequest;
  /** For `match`: how far the output of each terminal was searched; continued, and kept up to date. */
  readonly offsets: Record<string, number>;
  readonly report: (occurrence: Occurrence, isLate: boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class OutputWatch {
  readonly #options: OutputWatchOptions;
  /** Terminals being watched; aborting ends it. */
  readonly #watched = new Map<string, AbortController>();

  constructor(options: OutputWatchOptions) {
    this.#options = options;
  }

  /** Does nothing for a terminal that is being watched. */
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

  /** Repeats what failed, until the terminal is gone. */
  async #keep(id: string, signal: AbortSignal, watch: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        return await watch();
      } catch (error) {
        if (signal.aborted || isCode(error, 'TERMINAL_NOT_FOUND')) return;
        // An offset beyond the end: output was lost with its host.
        if (isCode(error, 'INVALID_INPUT')) delete this.#options.offsets[id];
        this.#options.onError(error);
        await pause(RETRY_MS, signal);
      }
    }
  }

  async #match(id: string, signal: AbortSignal, { from, isLate }: WatchStart): Promise<void> {
    const { manager, request, offsets } = this.#options;
    const end = async () => (await manager.wait(id, { timeoutMs: 0 }, { signal })).offset;
    const presentEnd = await end();
    offsets[id] ??= Math.min(from ?? presentEnd, presentEnd);
    for (let [matches, since] = [0, 0]; !signal.aborted;) {
      const wanted = { regex: request.pattern, fromOffset: offsets[id], timeoutMs: MAX_WAIT_MS };
      const found = await manager.wait(id, wanted, { signal });
      if (signal.aborted) return;
      if (found.match !== null) await this.#matched(id, found, isLate && found.offset <= presentEnd);
      // After `close`, the match may not have been reported.
      if (signal.aborted) return;
      offsets[id] = found.offset;
      if (found.reason === 'exit') return;
      if (found.match === null) continue;
      if (performance.now() - since > SECOND_MS) [matches, since] = [0, performance.now()];
      if (++matches < MAX_MATCHES) continue;
      await pause(SECOND_MS, signal);
      if (!signal.aborted) offsets[id] = await end();
    }
  }

  #matched(id: string, { match, offset }: WaitResult, isLate: boolean): Promise<void> {
    const { pattern, include } = this.#options.request;
    // The match itself is output.
    const facts = { pattern, offset, ...(include !== undefined && { match }) };
    return this.#options.report(occurrence(id, 'match', offset, `printed ${pattern}`, facts), isLate);
  }

  async #quiet(id: string, signal: AbortSignal): Promise<void> {
    const { manager, request, report } = this.#options;
    const { quietMs: idleMs } = request;
    const wait = (until: object) => manager.wait(id, { ...until, timeoutMs: MAX_WAIT_MS }, { signal });
    for (;;) {
      const silence = await wait({ idleMs });
      if (silence.reason === 'exit' || signal.aborted) return;
      if (silence.reason !== 'idle') continue;
      const { offset } = silence;
      const text = `has printed nothing for ${roundedDuration(idleMs!)}`;
      await report(occurrence(id, 'quiet', offset, text, { quietMs: idleMs, offset }), false);
      for (let reason = 'timeout'; reason === 'timeout';) {
        ({ reason } = await wait({ regex: ANY_OUTPUT, fromOffset: offset }));
        if (reason === 'exit' || signal.aborted) return;
      }
    }
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
