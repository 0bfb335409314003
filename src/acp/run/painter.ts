/**
 * Makes what happens into text for a person, in the order in which it happens: nothing that is shown is changed again,
 * so that it can be read in any terminal, a pipe or a file. It knows neither the agent nor where the text goes.
 */
import type { TerminalExit } from '../display.js';
import type { PlanEntry, RunEvent, ToolCall } from './events.js';
import { harmless, harmlessLine, harmlessRow } from '../harmless.js';
import type { Ink } from './ink.js';
import { LiveLines } from './live-lines.js';
import type { Page } from './page.js';
import { questionLines } from './paint-question.js';
import { diffLines, headOf, isOver, textLines } from './paint-tool.js';
import { stopInWords } from './stop.js';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

const PLAN_MARKS = new Map([
  ['pending', '☐'],
  ['in_progress', '▶'],
  ['completed', '☑'],
]);
const MAX_COMMAND_CHARS = 160;
const INDENT = '  ';
interface PaintedTerminal {
  readonly number: number;
  lines: LiveLines;
}

export class Painter {
  readonly #ink: Ink;
  readonly #write: (text: string) => void;
  readonly #typed: (words: string) => string;
  readonly #page: () => Page;
  /** Text that comes in pieces, and goes on if the next event is of the same type. */
  #flowing: 'message' | 'thought' | 'user' | null = null;
  #isAtLineStart = true;
  readonly #terminals = new Map<string, PaintedTerminal>();
  #terminalCount = 0;
  /** What was last shown of each tool call. */
  readonly #heads = new Map<string, string>();
  #plan = '';

  /**
   * @param typed - Makes of a command's words what a person types.
   * @param page - What the person sees at once.
   */
  constructor(ink: Ink, write: (text: string) => void, typed: (words: string) => string, page: () => Page) {
    this.#typed = typed;
    this.#page = page;
    this.#ink = ink;
    this.#write = write;
  }

  paint(event: RunEvent): void {
    const { dim, bad } = this.#ink;
    switch (event.type) {
      case 'policy':
        return this.#lines(dim(`policy ${harmlessLine(event.file)} says what may run`));
      case 'agent':
        return event.name === null ? this.endLine() : this.#lines(dim(agentLine(event.name, event.version)));
      case 'session':
        return this.#lines(dim(`session ${harmlessLine(event.sessionId, 80)} in ${harmlessLine(event.cwd)}`));
      case 'message':
      case 'thought':
      case 'user':
        return this.#flow(event.type, event.text);
      case 'tool':
        return this.#tool(event);
      case 'mode':
        return this.#lines(dim(`mode: ${harmlessLine(event.modeId, 80)}`));
      case 'plan':
        return this.#planOf(event.entries);
      case 'terminal_started':
        return this.#terminalStarted(event);
      case 'terminal_output':
        return this.#terminalOutput(event);
      case 'terminal_waits':
        return this.#terminalWaits(event);
      case 'terminal_ended':
        return this.#terminalEnded(event);
      case 'question':
        return this.#lines(...questionLines(event, this.#ink, this.#page()));
      case 'answer':
        return this.#lines(answerLine(event, this.#ink));
      case 'prompt':
        return this.endLine();
      case 'stderr':
      case 'end':
        return;
      case 'warning':
        return this.#lines(`${bad('!')} ${harmlessLine(event.text, 300)}`);
      case 'stop':
        return this.#stop(event.reason);
    }
  }

  /** Begins a new line, if one is under way. */
  endLine(): void {
    if (!this.#isAtLineStart) this.#write('\n');
    this.#isAtLineStart = true;
    this.#flowing = null;
  }

  #flow(type: 'message' | 'thought' | 'user', text: string): void {
    if (text === '') return;
    if (this.#flowing !== type) {
      this.endLine();
      this.#flowing = type;
      if (type === 'user') this.#write(this.#ink.hint('> '));
    }
    const shown = harmless(text);
    this.#write(type === 'thought' ? this.#ink.dim(shown) : shown);
    this.#isAtLineStart = shown.endsWith('\n');
  }

  #lines(...lines: readonly string[]): void {
    this.endLine();
    if (lines.length > 0) this.#write(`${lines.join('\n')}\n`);
  }

  /** Shown as it begins and as it ends, and when it is called something else. */
  #tool(call: ToolCall): void {
    const head = JSON.stringify([call.title, isOver(call) ? call.status : null]);
    if (this.#heads.get(call.toolCallId) === head) return;
    this.#heads.set(call.toolCallId, head);
    dropOldest(this.#heads);
    this.#lines(headOf(call, this.#ink));
    if (!isOver(call)) return;
    this.#indented([...call.diffs.flatMap((diff) => diffLines(diff, this.#ink)), ...textLines(call, this.#ink)]);
  }

  #indented(lines: readonly string[]): void {
    this.#lines(...lines.map((line) => INDENT + line));
  }

  #planOf(entries: readonly PlanEntry[]): void {
    const lines = entries.map(({ content, status }) => {
      const mark = PLAN_MARKS.get(status ?? 'pending') ?? '☐';
      const text = `${mark} ${harmlessLine(content, 200)}`;
      return status === 'completed' ? this.#ink.dim(text) : status === 'in_progress' ? this.#ink.bold(text) : text;
    });
    if (this.#plan === lines.join('\n')) return;
    this.#plan = lines.join('\n');
    this.#lines(this.#ink.hint('Plan'), ...lines.map((line) => INDENT + line));
  }

  #terminalStarted(event: Of<'terminal_started'>): void {
    const number = ++this.#terminalCount;
    this.#terminals.set(keyOf(event), { number, lines: this.#linesOf(number) });
    dropOldest(this.#terminals);
    const command = harmlessLine(event.command ?? 'terminal of the agent', MAX_COMMAND_CHARS);
    const reach = event.owner === 'client' ? this.#ink.dim(`  ${this.#attach(event.terminalId)}`) : '';
    this.#lines(`${INDENT}${this.#prefix(number, '┌')} ${this.#ink.hint('$')} ${command}${reach}`);
  }

  #terminalOutput({ data, isAnew, ...event }: Of<'terminal_output'>): void {
    const terminal = this.#terminals.get(keyOf(event));
    if (!terminal) return;
    if (isAnew) {
      terminal.lines.end();
      terminal.lines = this.#linesOf(terminal.number);
      this.#lines(`${INDENT}${this.#prefix(terminal.number, '├')} ${this.#ink.dim('from the beginning:')}`);
    }
    terminal.lines.write(data);
  }

  #terminalWaits(event: Of<'terminal_waits'>): void {
    const terminal = this.#terminals.get(keyOf(event));
    if (!terminal) return;
    terminal.lines.showBegun();
    const words = `waits for input: ${this.#attach(event.terminalId)}`;
    this.#lines(`${INDENT}${this.#prefix(terminal.number, '│')} ${this.#ink.hint(words)}`);
  }

  #terminalEnded(event: Of<'terminal_ended'>): void {
    const terminal = this.#terminals.get(keyOf(event));
    if (!terminal) return;
    terminal.lines.end();
    // What an agent tells of it afterwards is shown, too.
    terminal.lines = this.#linesOf(terminal.number);
    const colour = event.exitCode === 0 ? this.#ink.dim : this.#ink.bad;
    this.#lines(`${INDENT}${this.#prefix(terminal.number, '└')} ${colour(endInWords(event))}`);
  }

  #attach(terminalId: string): string {
    return this.#typed(`attach ${shortId(terminalId)}`);
  }

  #linesOf(number: number): LiveLines {
    const start = `${INDENT}${this.#prefix(number, '│')} `;
    return new LiveLines({
      line: (ansi) => this.#lines(start + harmlessRow(ansi, this.#ink.hasColour)),
      leftOut: (lines) => this.#lines(start + this.#ink.dim(`… ${lines} ${lines === 1 ? 'line' : 'lines'} left out`)),
    });
  }

  #prefix(number: number, corner: string): string {
    return this.#ink.dim(`${number}${corner}`);
  }

  #stop(reason: string): void {
    const words = stopInWords(reason);
    if (words === null) this.endLine();
    else this.#lines(`${this.#ink.bad('■')} ${words}`);
  }
}

/** `→ No (nobody to ask; --yes grants)`. */
function answerLine({ option, isUnasked }: Of<'answer'>, { bold, dim, hint }: Ink): string {
  const why = isUnasked ? ` ${dim('(nobody to ask; --yes grants)')}` : '';
  return `${INDENT}${hint('→')} ${bold(harmlessLine(option?.name ?? 'not answered', 80))}${why}`;
}

function agentLine(name: string, version: string | null): string {
  return [harmlessLine(name, 80), harmlessLine(version ?? '', 40)].filter((word) => word !== '').join(' ');
}

function endInWords({ exitCode, signal, timeLimitMs }: TerminalExit): string {
  const how = harmlessLine(signal ?? (exitCode === null ? 'ended' : `exit code ${exitCode}`), 40);
  return timeLimitMs === undefined ? how : `${how} (time limit of the policy: ${timeLimitMs / 1000} s)`;
}

const MAX_REMEMBERED = 1000;

function dropOldest(remembered: Map<string, unknown>): void {
  if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
}

function keyOf({ sessionId, terminalId }: { readonly sessionId: string; readonly terminalId: string }): string {
  return JSON.stringify([sessionId, terminalId]);
}

/** What is enough to name one on the command line. */
function shortId(terminalId: string): string {
  return terminalId.slice(0, 8);
}
