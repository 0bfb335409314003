/**
 * Prints pages of lines one after the other, so that they read as one text: as text that goes on in the middle of
 * a line, or as an object for each line. It knows neither where pages come from nor when there are more.
 */
import type { TerminalManager } from '../../contract/manager.js';
import type { OutputPage, ReadOutput } from '../../contract/output.js';
import { print } from '../stdout.js';

export interface LineForm {
  readonly json: boolean;
  readonly format: 'text' | 'ansi' | 'raw' | undefined;
}

export class FollowedLines {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #form: LineForm;
  /** Whether what was printed last is a line that may yet go on. */
  #isInLine = false;
  /** The object that was printed last: a line that ends comes again, and is told only if it changed. */
  #lastEntry = '';

  constructor(manager: TerminalManager, id: string, form: LineForm) {
    this.#manager = manager;
    this.#id = id;
    this.#form = form;
  }

  async show(page: OutputPage): Promise<void> {
    if (page.stats.linesShown === 0) return;
    if (this.#form.json) return this.#showEntries(page);
    if (this.#form.format === 'raw') return print(page.output);
    // What follows a line end is known only when it comes: it is printed with the next line.
    const joint = this.#isInLine && (!page.continuesLine || page.rewrittenFrom !== null) ? '\n' : '';
    this.#isInLine = true;
    await print(joint + page.output);
  }

  /** After the last page. */
  async end(): Promise<void> {
    if (this.#isInLine) await print('\n');
  }

  /** A line that was begun before is given whole: its reader replaces what it has by number. */
  async #showEntries(page: OutputPage): Promise<void> {
    const entries = page.continuesLine
      ? [...(await this.#wholeLine(page.fromLine)), ...(page.entries ?? []).slice(1)]
      : page.entries;
    const lines = (entries ?? []).map((entry) => `${JSON.stringify(entry)}\n`);
    if (lines[0] === this.#lastEntry) lines.shift();
    this.#lastEntry = lines.at(-1) ?? this.#lastEntry;
    await print(lines.join(''));
  }

  async #wholeLine(since: number): Promise<NonNullable<OutputPage['entries']>> {
    const { format } = this.#form;
    const request: ReadOutput = { since, mode: 'head', headLines: 1, entries: true, ...(format && { format }) };
    const { entries = [] } = await this.#manager.read(this.#id, request);
    return entries;
  }
}
