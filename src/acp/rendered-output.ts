/**
 * Keeps a terminal's output as a person would have seen it, line by line and without escape sequences, up to a limit of
 * bytes. Reads final lines once; reads lines that are still on the screen again, but only after new output.
 */
import type { TerminalManager } from '../contract/manager.js';
import { MAX_PAGE_LINES } from '../contract/output.js';
import type { OutputPage } from '../contract/output.js';
import { TerminalError } from '../errors.js';
import type { AgentOutput } from './agent-terminal.js';
import { lastBytes, RetainedOutput } from './retained-output.js';
import type { RetainedText } from './retained-output.js';

/** The smallest page that can be requested. */
const MIN_PAGE_BYTES = 1024;
const NOTHING: RetainedText = { output: '', truncated: false };

export class RenderedOutput implements AgentOutput {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #limit: number;
  readonly #final: RetainedOutput;
  /** Number of the first line that is not final yet. */
  #nextLine = 0;
  #isStale = false;
  #reading: Promise<void> | null = null;
  #text = NOTHING;

  constructor(manager: TerminalManager, id: string, limit: number) {
    this.#manager = manager;
    this.#id = id;
    this.#limit = limit;
    this.#final = new RetainedOutput(limit);
  }

  add(): void {
    this.#isStale = true;
  }

  /** Does not record the loss, because the manager itself reports which lines were dropped. */
  lose(): void {
    this.#isStale = true;
  }

  /** Reads the output immediately, because a terminal that has ended may be removed at any time. */
  async end(): Promise<void> {
    await this.#reading?.catch(() => undefined);
    this.#isStale = true;
    await this.read().catch(() => undefined);
  }

  /**
   * Returns the current output or, if the terminal no longer exists, the output that was read last.
   *
   * @throws The same errors as `TerminalManager.read`. After an error, the next call reads again.
   */
  async read(): Promise<RetainedText> {
    if (this.#isStale) await (this.#reading ??= this.#readOn().finally(() => (this.#reading = null)));
    return this.#text;
  }

  async #readOn(): Promise<void> {
    // Cleared before the read, so that output that arrives during the read sets it again.
    this.#isStale = false;
    try {
      this.#take(await this.#readPage());
    } catch (error) {
      if (error instanceof TerminalError && error.code === 'TERMINAL_NOT_FOUND') return;
      this.#isStale = true;
      throw error;
    }
  }

  #readPage(): Promise<OutputPage> {
    const maxBytes = Math.max(this.#limit, MIN_PAGE_BYTES);
    const lines = { mode: 'tail', tailLines: MAX_PAGE_LINES, maxLines: MAX_PAGE_LINES } as const;
    return this.#manager.read(this.#id, { ...lines, since: this.#nextLine, maxBytes });
  }

  #take(page: OutputPage): void {
    const { output, fromLine, mutableFrom, totalLines } = page;
    const lines = page.stats.linesShown === 0 ? [] : output.split('\n');
    if (fromLine > this.#nextLine && totalLines > this.#nextLine) this.#final.lose();
    // The last line may continue, or may be empty because its successor has not begun: a line ending is reported only
    // with the next line.
    const finalEnd = Math.min(mutableFrom, totalLines - 1, fromLine + lines.length);
    const finalCount = Math.max(finalEnd - fromLine, 0);
    const settled = lines.slice(0, finalCount).map((line) => `${line}\n`);
    this.#final.add(Buffer.from(settled.join('')));
    this.#nextLine = fromLine + finalCount;
    const final = this.#final.read();
    const shown = lastBytes(final.output + lines.slice(finalCount).join('\n'), this.#limit);
    const wasTruncated = this.#text.truncated;
    this.#text = { output: shown.output, truncated: wasTruncated || final.truncated || shown.truncated };
  }
}
