/**
 * Notices terminals that have gone quiet: in the middle of a line, which a person would otherwise not see, or because their
 * program waits for input. It knows neither terminals nor persons, only what is told of them.
 */
import type { RunEvent } from './events.js';

/** Programs that work print in shorter intervals; a person hardly notices it. */
const QUIET_MS = 300;
const LF = 0x0a;

interface Followed {
  readonly timer: NodeJS.Timeout;
  isInLine: boolean;
}

export class QuietTerminals {
  readonly #tell: (event: RunEvent) => void;
  readonly #waits: (terminalId: string) => Promise<boolean>;
  readonly #followed = new Map<string, Followed>();

  /**
   * @param tell - Told of what is noticed.
   * @param waits - Answers whether the program of a terminal of ours waits for input. Never rejects.
   */
  constructor(tell: (event: RunEvent) => void, waits: (terminalId: string) => Promise<boolean>) {
    this.#tell = tell;
    this.#waits = waits;
  }

  /** To be called with all that happens. */
  take(event: RunEvent): void {
    if (event.type === 'terminal_started') this.#follow(event);
    else if (event.type === 'terminal_output') this.#onOutput(event);
    else if (event.type === 'terminal_ended') this.#forget(keyOf(event));
  }

  close(): void {
    for (const key of [...this.#followed.keys()]) this.#forget(key);
  }

  #follow(event: Extract<RunEvent, { type: 'terminal_started' }>): void {
    this.#forget(keyOf(event));
    const timer = setTimeout(() => void this.#onQuiet(event), QUIET_MS).unref();
    this.#followed.set(keyOf(event), { timer, isInLine: false });
  }

  #onOutput(event: Extract<RunEvent, { type: 'terminal_output' }>): void {
    const followed = this.#followed.get(keyOf(event));
    if (followed === undefined || event.data.length === 0) return;
    followed.isInLine = event.data.at(-1) !== LF;
    followed.timer.refresh();
  }

  async #onQuiet({ sessionId, terminalId, owner }: Extract<RunEvent, { type: 'terminal_started' }>): Promise<void> {
    const id = { sessionId, terminalId };
    const followed = this.#followed.get(keyOf(id));
    if (followed?.isInLine === true) this.#tell({ type: 'terminal_quiet', ...id });
    if (owner !== 'client' || !(await this.#waits(terminalId))) return;
    if (followed !== undefined && this.#followed.get(keyOf(id)) === followed)
      this.#tell({ type: 'terminal_waits', ...id });
  }

  #forget(key: string): void {
    clearTimeout(this.#followed.get(key)?.timer);
    this.#followed.delete(key);
  }
}

function keyOf({ sessionId, terminalId }: { readonly sessionId: string; readonly terminalId: string }): string {
  return JSON.stringify([sessionId, terminalId]);
}
