/**
 * Formats events as text for a person, in order. Never changes text once it is displayed, so that it can be read in any
 * terminal, pipe or file.
 */
import { LruMap } from '../../lru-map.js';
import type { TerminalExit } from '../display.js';
import { keyOf } from '../shown-terminals.js';
import type { PlanEntry, RunEvent, ToolCall } from './events.js';
import { sanitize, sanitizeLine, sanitizeRow } from '../sanitize.js';
import type { TextStyles } from './text-styles.js';
import { LiveLines } from './live-lines.js';
import type { ScreenSize } from './screen-size.js';
import { questionLines } from './format-question.js';
import { diffLines, toolHeading, isToolOver, textLines } from './format-tool.js';
import { describeStop } from './stop.js';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

const PLAN_MARKS = new Map([
  ['pending', '☐'],
  ['in_progress', '▶'],
  ['completed', '☑'],
]);
const MAX_COMMAND_CHARS = 160;
const INDENT = '  ';
const SHORT_ID_CHARS = 8;
const MAX_REMEMBERED = 1000;
interface RenderedTerminal {
  readonly number: number;
  lines: LiveLines;
}

export class EventRenderer {
  readonly #styles: TextStyles;
  readonly #write: (text: string) => void;
  readonly #formatCommand: (words: string) => string;
  readonly #screenSize: () => ScreenSize;
  /** The type of the streamed text in progress, which the next event continues if it has the same type. */
  #streamedType: 'message' | 'thought' | 'user' | null = null;
  #isAtLineStart = true;
  readonly #terminals = new LruMap<RenderedTerminal>(MAX_REMEMBERED);
  #terminalCount = 0;
  /** The last line shown for each tool call. */
  readonly #heads = new LruMap<string>(MAX_REMEMBERED);
  #plan = '';

  /**
   * @param typed - Converts a command's words to the command line that a person would type.
   * @param page - Returns the size of the person's screen.
   */
  constructor(
    styles: TextStyles,
    write: (text: string) => void,
    formatCommand: (words: string) => string,
    screenSize: () => ScreenSize,
  ) {
    this.#formatCommand = formatCommand;
    this.#screenSize = screenSize;
    this.#styles = styles;
    this.#write = write;
  }

  render(event: RunEvent): void {
    const { dim, bad } = this.#styles;
    switch (event.type) {
      case 'policy':
        return this.#lines(dim(`policy ${sanitizeLine(event.file)} defines what may run`));
      case 'agent':
        return event.name === null ? this.endLine() : this.#lines(dim(agentLine(event.name, event.version)));
      case 'session':
        return this.#lines(dim(`session ${sanitizeLine(event.sessionId, 80)} in ${sanitizeLine(event.cwd)}`));
      case 'message':
      case 'thought':
      case 'user':
        return this.#stream(event.type, event.text);
      case 'tool':
        return this.#tool(event);
      case 'mode':
        return this.#lines(dim(`mode: ${sanitizeLine(event.modeId, 80)}`));
      case 'plan':
        return this.#planOf(event.entries);
      case 'terminal_started':
        return this.#terminalStarted(event);
      case 'terminal_output':
      case 'terminal_waits':
      case 'terminal_ended':
        return this.#onTerminal(event);
      case 'question':
        return this.#lines(...questionLines(event, this.#styles, this.#screenSize()));
      case 'answer':
        return this.#lines(answerLine(event, this.#styles));
      case 'prompt':
        return this.endLine();
      case 'stderr':
      case 'end':
        return;
      case 'warning':
        return this.#lines(`${bad('!')} ${sanitizeLine(event.text, 300)}`);
      case 'stop':
        return this.#stop(event.reason);
    }
  }

  /** Ends the current line if it has begun. */
  endLine(): void {
    if (!this.#isAtLineStart) this.#write('\n');
    this.#isAtLineStart = true;
    this.#streamedType = null;
  }

  #stream(type: 'message' | 'thought' | 'user', text: string): void {
    if (text === '') return;
    if (this.#streamedType !== type) {
      this.endLine();
      this.#streamedType = type;
      if (type === 'user') this.#write(this.#styles.hint('> '));
    }
    const shown = sanitize(text);
    this.#write(type === 'thought' ? this.#styles.dim(shown) : shown);
    this.#isAtLineStart = shown.endsWith('\n');
  }

  #lines(...lines: readonly string[]): void {
    this.endLine();
    if (lines.length > 0) this.#write(`${lines.join('\n')}\n`);
  }

  /** Shows a tool call when it begins, when it ends, and when its title changes. */
  #tool(call: ToolCall): void {
    const head = JSON.stringify([call.title, isToolOver(call) ? call.status : null]);
    if (this.#heads.peek(call.toolCallId) === head) return;
    this.#heads.set(call.toolCallId, head);
    this.#lines(toolHeading(call, this.#styles));
    if (!isToolOver(call)) return;
    this.#indented([...call.diffs.flatMap((diff) => diffLines(diff, this.#styles)), ...textLines(call, this.#styles)]);
  }

  #indented(lines: readonly string[]): void {
    this.#lines(...lines.map((line) => INDENT + line));
  }

  #planOf(entries: readonly PlanEntry[]): void {
    const lines = entries.map(({ content, status }) => {
      const mark = PLAN_MARKS.get(status ?? 'pending') ?? '☐';
      const text = `${mark} ${sanitizeLine(content, 200)}`;
      return status === 'completed'
        ? this.#styles.dim(text)
        : status === 'in_progress'
          ? this.#styles.bold(text)
          : text;
    });
    if (this.#plan === lines.join('\n')) return;
    this.#plan = lines.join('\n');
    this.#lines(this.#styles.hint('Plan'), ...lines.map((line) => INDENT + line));
  }

  #terminalStarted(event: Of<'terminal_started'>): void {
    const number = ++this.#terminalCount;
    this.#terminals.set(keyOf(event.sessionId, event.terminalId), { number, lines: this.#linesOf(number) });
    const command = sanitizeLine(event.command ?? 'terminal of the agent', MAX_COMMAND_CHARS);
    const reach = event.owner === 'client' ? this.#styles.dim(`  ${this.#attach(event)}`) : '';
    this.#row(number, '┌', `${this.#styles.hint('$')} ${command}${reach}`);
  }

  #onTerminal(event: Of<'terminal_output' | 'terminal_waits' | 'terminal_ended'>): void {
    const terminal = this.#terminals.peek(keyOf(event.sessionId, event.terminalId));
    if (!terminal) return;
    const { number, lines } = terminal;
    const isOutput = event.type === 'terminal_output';
    if (event.type === 'terminal_waits') {
      lines.showUnfinished();
      this.#row(number, '│', this.#styles.hint(`waiting for input: ${this.#attach(event)}`));
    } else if (!isOutput || event.isAnew) {
      lines.end();
      // An agent may send output after the end, which is also shown.
      terminal.lines = this.#linesOf(number);
      if (isOutput) this.#row(number, '├', this.#styles.dim('repeated from the beginning:'));
      else this.#row(number, '└', (event.exitCode === 0 ? this.#styles.dim : this.#styles.bad)(describeExit(event)));
    }
    if (isOutput) terminal.lines.write(event.data);
  }

  /** Returns the command that attaches to a terminal. On the command line, a prefix of the id is sufficient. */
  #attach({ terminalId }: { readonly terminalId: string }): string {
    return this.#formatCommand(`attach ${terminalId.slice(0, SHORT_ID_CHARS)}`);
  }

  #linesOf(number: number): LiveLines {
    return new LiveLines({
      line: (ansi) => this.#row(number, '│', sanitizeRow(ansi, this.#styles.hasColour)),
      leftOut: (count) =>
        this.#row(number, '│', this.#styles.dim(`… ${count} ${count === 1 ? 'line' : 'lines'} left out`)),
    });
  }

  #row(number: number, corner: string, text: string): void {
    this.#lines(`${INDENT}${this.#styles.dim(`${number}${corner}`)} ${text}`);
  }

  #stop(reason: string): void {
    const words = describeStop(reason);
    if (words === null) this.endLine();
    else this.#lines(`${this.#styles.bad('■')} ${words}`);
  }
}

/** Formats an answer: `→ No (cannot ask without a terminal; --yes grants)`. */
function answerLine({ option, isUnasked }: Of<'answer'>, { bold, dim, hint }: TextStyles): string {
  const why = isUnasked ? ` ${dim('(cannot ask without a terminal; --yes grants)')}` : '';
  return `${INDENT}${hint('→')} ${bold(sanitizeLine(option?.name ?? 'not answered', 80))}${why}`;
}

function agentLine(name: string, version: string | null): string {
  return [sanitizeLine(name, 80), sanitizeLine(version ?? '', 40)].filter((word) => word !== '').join(' ');
}

function describeExit({ exitCode, signal, timeLimitMs }: TerminalExit): string {
  const how = sanitizeLine(signal ?? (exitCode === null ? 'ended' : `exit code ${exitCode}`), 40);
  return timeLimitMs === undefined ? how : `${how} (time limit of the policy: ${timeLimitMs / 1000} s)`;
}
