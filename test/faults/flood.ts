/**
 * A program that prints numbered lines as fast as it can, and readers that check each line against its number: none
 * missing, duplicated or changed.
 */
import type { TerminalEvent } from '../../src/contract/event.js';
import type { OutputPage, ReadOutput } from '../../src/contract/output.js';
import type { CreateTerminal } from '../../src/contract/terminal.js';

/**
 * Line `n` contains `n + 1`. Exits with code 3 on SIGUSR1, after a complete line. Runs at low priority, so that
 * processes started in the middle of it get the cores, and ends after minutes of CPU time if nothing else ends it.
 */
export const FLOOD = flood('');
/** The same, but computes before each line, so that three readers keep up however busy the machine is. */
export const PACED_FLOOD = flood('j=0; while [ $j -lt 40 ]; do j=$((j + 1)); done;');

function flood(work: string): CreateTerminal {
  const loop = `i=0; while [ -t 1 ]; do ${work} i=$((i + 1)); echo $i; done`;
  return { command: 'nice', args: ['-n', '5', 'sh', '-c', `ulimit -t 300; trap 'exit 3' USR1; ${loop}`] };
}
const PAGE = { maxLines: 50_000, timeoutMs: 1000 };

export type Read = (request: ReadOutput) => Promise<OutputPage>;

/** How far lines have been read. */
interface Progress {
  /** The number of complete lines. */
  readonly lines: number;
}

/** Follows by `since`, which returns only complete lines. */
export class SinceReader implements Progress {
  lines = 0;

  async step(read: Read): Promise<OutputPage> {
    const page = await read({ since: this.lines, ...PAGE });
    if (page.droppedLines > 0) throw new Error(`${page.droppedLines} lines were dropped from ${page.droppedFrom}`);
    const whole = page.output.split('\n').slice(0, Math.max(0, page.nextReadFrom - page.fromLine));
    whole.forEach((text, index) => expectLine(page.fromLine + index, text));
    if (whole.length > 0 && page.fromLine !== this.lines) throw new Error(`asked ${this.lines}, got ${page.fromLine}`);
    this.lines = page.nextReadFrom;
    return page;
  }
}

/** Follows by `cursor`, which returns pieces that make up lines. */
export class CursorReader implements Progress {
  cursor: string | undefined;
  /** How often lines were returned again after they had been read, and the largest number of them. */
  rewrites = 0;
  mostRewritten = 0;
  /** The part of the last line read so far. */
  #open = '';
  lines = 0;

  async step(read: Read): Promise<OutputPage> {
    const page = await read({ ...(this.cursor === undefined ? {} : { cursor: this.cursor }), ...PAGE });
    if (page.droppedLines > 0) throw new Error(`${page.droppedLines} lines were dropped from ${page.droppedFrom}`);
    this.cursor = page.cursor;
    if (page.rewrittenFrom !== null) this.#goBackTo(page.rewrittenFrom);
    if (page.output !== '') this.#take(page);
    return page;
  }

  #take({ output, fromLine, continuesLine }: OutputPage): void {
    const texts = output.split('\n');
    if (continuesLine) texts[0] = this.#open + texts[0]!;
    const isNext = fromLine === this.lines || (!continuesLine && fromLine === this.lines + 1);
    if (!isNext) throw new Error(`line ${this.lines} was being read, line ${fromLine} came`);
    if (fromLine > this.lines) expectLine(this.lines, this.#open);
    this.#open = texts.pop()!;
    texts.forEach((text, index) => expectLine(fromLine + index, text));
    this.lines = fromLine + texts.length;
  }

  #goBackTo(line: number): void {
    if (line > this.lines + 1) throw new Error(`line ${line} is said to have been read, but not ${this.lines + 1}`);
    this.rewrites++;
    this.mostRewritten = Math.max(this.mostRewritten, this.lines - line);
    this.lines = line;
    this.#open = '';
  }
}

/** Follows a subscription: bytes at offsets. */
export class SubscriptionReader implements Progress {
  offset = 0;
  lines = 0;
  #rest = '';
  exit: { exitCode: number | null; signal: string | null } | null = null;
  isEnded = false;

  take(event: TerminalEvent): void {
    if (event.type === 'gap') throw new Error(`bytes ${event.offset} to ${event.resumeAt} are missing`);
    if (event.type === 'exit') this.exit = { exitCode: event.exitCode, signal: event.signal };
    if (event.type === 'end') this.isEnded = true;
    if (event.type === 'output') this.#takeOutput(event.offset, event.bytes);
  }

  #takeOutput(offset: number, bytes: Uint8Array): void {
    if (offset !== this.offset) throw new Error(`offset ${this.offset} was expected, ${offset} came`);
    this.offset += bytes.length;
    const texts = (this.#rest + Buffer.from(bytes).toString('latin1')).split('\r\n');
    this.#rest = texts.pop()!;
    texts.forEach((text, index) => expectLine(this.lines + index, text));
    this.lines += texts.length;
  }
}

/** Returns the first `lines` lines of a flood, as its program wrote them. */
export function floodBytes(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `${index + 1}\r\n`).join('');
}

function expectLine(line: number, text: string): void {
  if (text !== String(line + 1)) throw new Error(`line ${line} says "${text.slice(0, 80)}"`);
}
