/**
 * Creates the events with the last lines of the terminals that a watcher has selected: initially and after each change,
 * but at most twice a second. Creates each event when the watcher takes it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LINES_INTERVAL_MS } from '../../contract/watch.js';
import type { LinesEvent } from '../../contract/watch.js';
import type { BaseTerminal } from '../base-terminal.js';

export interface LineEventsOptions {
  readonly ids: readonly string[];
  /** Returns a terminal, if it exists. */
  readonly find: (id: string) => BaseTerminal | undefined;
  /** Called when `take` may return an event. */
  readonly onDue: () => void;
  readonly closed: AbortSignal;
}

/** Used instead of the version of an ended terminal, because determining the version would open its files. */
const OVER = 'over';

export class LineEvents {
  readonly #options: LineEventsOptions;
  /** Terminals whose lines may have changed since the watcher last took them. */
  readonly #due: Set<string>;
  /** Terminals that become due when they change. */
  readonly #followed = new Set<string>();
  /** The last version taken, by terminal. */
  readonly #versions = new Map<string, string>();

  constructor(options: LineEventsOptions) {
    this.#options = options;
    this.#due = new Set(options.ids);
  }

  /** Follows requested terminals that may have been created only now. */
  onCreated(id?: string): void {
    for (const one of this.#options.ids) if (id === undefined || id === one) this.#due.add(one);
  }

  /** Returns an event if there is one now. */
  take(): LinesEvent | null {
    for (const id of this.#due) {
      this.#due.delete(id);
      const terminal = this.#followed.has(id) ? undefined : this.#options.find(id);
      if (terminal === undefined) continue;
      const event = this.#eventOf(terminal);
      void this.#follow(terminal);
      if (event !== null) return event;
    }
    return null;
  }

  /** Returns the event of a terminal; null if nothing has changed that lines can show. */
  #eventOf(terminal: BaseTerminal): LinesEvent | null {
    const { id: terminalId } = terminal;
    const isFirst = !this.#versions.has(terminalId);
    const version = isFirst && terminal.isOver ? OVER : versionOf(terminal);
    if (this.#versions.get(terminalId) === version) return null;
    this.#versions.set(terminalId, version);
    const about = { id: randomUUID(), at: new Date().toISOString(), terminalId };
    return { type: 'lines', ...about, ...terminal.lastLines() };
  }

  /** Follows a terminal. Never rejects. */
  async #follow(terminal: BaseTerminal): Promise<void> {
    const { closed, onDue } = this.#options;
    this.#followed.add(terminal.id);
    const changed = terminal.nextChange(closed);
    await delay(LINES_INTERVAL_MS, undefined, { signal: closed, ref: false }).catch(() => undefined);
    await changed;
    this.#followed.delete(terminal.id);
    this.#due.add(terminal.id);
    onDue();
  }
}

/** Returns a version that changes whenever lines may have changed. */
function versionOf({ outputStart, outputEnd, size }: BaseTerminal): string {
  return [outputStart, outputEnd, size.cols, size.rows].join();
}
