/**
 * Prints consecutive pages of lines as a single stream: either as text, in which a page can continue in the middle of a
 * line, or as one JSON object per line.
 */
import type { TerminalManager } from '../../contract/manager.js';
import type { OutputFormat, OutputPage, ReadOutput } from '../../contract/output.js';
import { print } from '../stdout.js';
import { printableJson } from '../../printable.js';

export interface LineForm {
  readonly json: boolean;
  readonly format: OutputFormat | undefined;
}

export class FollowedLines {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #form: LineForm;
  /** Whether the last printed line may still continue. */
  #isInLine = false;
  /** The last printed object. When a line has ended, it is returned again, but printed again only if it has changed. */
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
    // Whether the next output continues the line is known only when it arrives, so the line break is printed only
    // before the next line.
    const joint = this.#isInLine && (!page.continuesLine || page.rewrittenFrom !== null) ? '\n' : '';
    this.#isInLine = true;
    await print(joint + page.output);
  }

  /** Call this after the last page. */
  async end(): Promise<void> {
    if (this.#isInLine) await print('\n');
  }

  /** Prints lines as objects. If a line began on an earlier page, prints it again in full, with the same number. */
  async #showEntries(page: OutputPage): Promise<void> {
    const entries = page.continuesLine
      ? [...(await this.#wholeLine(page.fromLine)), ...(page.entries ?? []).slice(1)]
      : page.entries;
    const lines = (entries ?? []).map((entry) => `${printableJson(entry)}\n`);
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
