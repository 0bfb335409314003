/**
 * One of our terminals as an editor that has none is shown it: as text that is replaced, or as output that is appended.
 * It knows no messages.
 */
import { StringDecoder } from 'node:string_decoder';
import type { ShownTerminal, TerminalExit } from '../display.js';
import type { Dialect } from './editor-lines.js';

/** What a person would see of a terminal: the end of it, where it is much. */
export interface SeenText {
  /** Something was printed. */
  add(): void;
  read(): Promise<{ readonly output: string; readonly truncated: boolean }>;
}

/** Of output that nobody could be told of yet. */
const MAX_PENDING_CHARACTERS = 256 << 10;

export class EmbeddedTerminal {
  readonly shown: ShownTerminal;
  /** Whether there is more by now than `content` says. */
  isStale = false;
  exit: TerminalExit | null = null;
  /** Whether the editor was told of the end. */
  isExitSaid = false;
  #text = '';
  #pending = '';
  readonly #decoder = new StringDecoder('utf8');
  readonly #dialect: Dialect;
  /** Null when there is no more to come. */
  #seen: SeenText | null;

  constructor(shown: ShownTerminal, seen: SeenText, dialect: Dialect) {
    this.shown = shown;
    this.#seen = seen;
    this.#dialect = dialect;
  }

  /** Whether `content` says all that there will ever be. */
  get isFinal(): boolean {
    return this.exit !== null && !this.isStale;
  }

  /** How many characters are kept for it. */
  get size(): number {
    return this.#text.length + this.#pending.length;
  }

  take(data: Uint8Array): void {
    this.isStale = true;
    this.#seen?.add();
    if (this.#dialect === 'meta')
      this.#pending = (this.#pending + this.#decoder.write(Buffer.from(data))).slice(-MAX_PENDING_CHARACTERS);
  }

  /** What it has printed since this was last asked, as it printed it; of much the end. */
  takePending(): string {
    const pending = this.#pending;
    this.#pending = '';
    return pending;
  }

  /** Has `content` say what there is by now. */
  async refresh(): Promise<void> {
    this.isStale = false;
    const isLast = this.exit !== null;
    // Of a terminal that is gone there is what was seen before.
    const seen = await this.#seen?.read().catch(() => undefined);
    if (isLast) this.#seen = null;
    if (seen !== undefined) this.#text = `${seen.truncated ? '…\n' : ''}${seen.output.trimEnd()}`;
  }

  /** As an element of a tool call's content. */
  get content(): string {
    return JSON.stringify({ type: 'content', content: { type: 'text', text: asBlock(this.#text) } });
  }
}

/** As markdown, which editors take text for: a block whose fence is in none of its lines. */
function asBlock(text: string): string {
  if (text === '') return '';
  const longest = Math.max(...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}console\n${text}\n${fence}`;
}
