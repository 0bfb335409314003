/** Represents a terminal for an editor without terminals, as text that is replaced or as output that is appended. */
import { StringDecoder } from 'node:string_decoder';
import type { ShownTerminal, TerminalExit } from '../display.js';
import type { TerminalDialect } from './editor-line-handler.js';

/** The text of a terminal as a person would see it. If it is long, its start is cut off. */
export interface RenderedText {
  /** Must be called when there is new output. */
  add(): void;
  read(): Promise<{ readonly output: string; readonly truncated: boolean }>;
}

/** Maximum number of characters of output that are kept until they are sent to the editor. */
const MAX_PENDING_CHARACTERS = 256 << 10;

export class EmbeddedTerminal {
  readonly shown: ShownTerminal;
  /** Whether there is output that `content` does not show yet. */
  isStale = false;
  exit: TerminalExit | null = null;
  /** Whether the exit has been sent to the editor. */
  isExitSent = false;
  #text = '';
  #pending = '';
  readonly #decoder = new StringDecoder('utf8');
  readonly #dialect: TerminalDialect;
  /** The rendered text, or null if no more output will follow. */
  #seen: RenderedText | null;

  constructor(shown: ShownTerminal, seen: RenderedText, dialect: TerminalDialect) {
    this.shown = shown;
    this.#seen = seen;
    this.#dialect = dialect;
  }

  /** Whether `content` is complete and will not change. */
  get isFinal(): boolean {
    return this.exit !== null && !this.isStale;
  }

  /** The number of characters kept for this terminal. */
  get size(): number {
    return this.#text.length + this.#pending.length;
  }

  take(data: Uint8Array): void {
    this.isStale = true;
    this.#seen?.add();
    if (this.#dialect === 'meta')
      this.#pending = (this.#pending + this.#decoder.write(Buffer.from(data))).slice(-MAX_PENDING_CHARACTERS);
  }

  /** Returns the raw output since the last call or, if that is too long, only its end. */
  takePending(): string {
    const pending = this.#pending;
    this.#pending = '';
    return pending;
  }

  /** Updates `content` to the current text. */
  async refresh(): Promise<void> {
    this.isStale = false;
    const isLast = this.exit !== null;
    // If the terminal no longer exists, the text that was read earlier remains.
    const seen = await this.#seen?.read().catch(() => undefined);
    if (isLast) this.#seen = null;
    if (seen !== undefined) this.#text = `${seen.truncated ? '…\n' : ''}${seen.output.trimEnd()}`;
  }

  /** The terminal as an element of a tool call's content. */
  get content(): string {
    return JSON.stringify({ type: 'content', content: { type: 'text', text: asBlock(this.#text) } });
  }
}

/**
 * Formats text as a Markdown code block, because editors interpret text as Markdown. Chooses a fence that does not
 * occur in the text.
 */
function asBlock(text: string): string {
  if (text === '') return '';
  const longest = Math.max(...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}console\n${text}\n${fence}`;
}
