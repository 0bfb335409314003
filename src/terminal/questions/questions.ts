/**
 * Determines whether a terminal's program is asking a question, independently of any request. Probes only after
 * something has happened, then less and less often, and not at all while a shell is at its prompt. Changes nothing.
 */
import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../../clock.js';
import type { Question } from '../../contract/waiting.js';
import { TerminalError } from '../../errors.js';
import { withQueriedKind } from '../../processes/input-kind.js';
import { probeInput, type InputProbe } from '../../processes/input-probe.js';
import { InputWatch, QUIET_MS } from '../../processes/input-watch.js';
import { isShellAtPrompt } from '../../shell/shell-prompt.js';
import type { ShellStack } from '../../shell/shell-stack.js';
import { LookTimer } from './look-timer.js';
import type { Notice } from '../notices.js';
import { Prompt } from './prompt.js';

type QuestionNotice = Extract<Notice, { type: 'waiting' | 'answered' }>;

export interface AskedTerminal {
  readonly id: string;
  readonly pid: number;
  readonly isActive: boolean;
  readonly outputEnd: number;
  readonly shell: ShellStack | null;
  /** Returns the line at the cursor, as shown. */
  cursorLine(): string;
}

/** The current question; also used for a hand-off. */
export interface Asked {
  readonly question: Question;
  readonly pid: number | null;
  /** Offset after the output that belongs to it. */
  readonly outputEnd: number;
  /** Whether the kernel reports that a process is waiting; if not, only the terminal's modes show it. */
  readonly isSeen: boolean;
}

/** Interval between two probes of a program that seems to have continued. */
const RECHECK_MS = 80;
/** Number of probes that must miss the question, because one probe may fall between two reads. */
const MISSES = 2;
/** Minimum interval between two queries of the terminal's modes; each query starts a process. */
const QUERY_INTERVAL_MS = 2000;

export class Questions {
  readonly #terminal: AskedTerminal;
  readonly #tell: (notice: QuestionNotice) => void;
  readonly #timer = new LookTimer(() => this.#look());
  readonly #prompt = new Prompt();
  #asked: Asked | null = null;
  #watch: InputWatch | null = null;
  #isReading = false;
  #misses = 0;
  /** End of the output at the last probe. */
  #seenEnd = 0;
  /** When the terminal's modes were last queried because the kernel does not report waiting processes. */
  #queriedAt = -Infinity;
  /** Number of inputs so far. A decision that took time is no longer valid after another input. */
  #inputs = 0;
  #isStopped = false;

  constructor(terminal: AskedTerminal, tell: (notice: QuestionNotice) => void) {
    this.#terminal = terminal;
    this.#tell = tell;
  }

  get current(): Question | null {
    return this.#asked?.question ?? null;
  }

  /** The state for a hand-off. */
  get state(): Asked | null {
    return this.#asked;
  }

  /**
   * Call when the program has printed something, or the shell has changed its state. Must be cheap, because it is
   * called for each piece of output.
   */
  changed(): void {
    if (this.#isStopped) return;
    if (this.#asked === null) this.#watch ??= this.#newWatch();
    this.#timer.soon();
  }

  /** Call when something has been typed, which answers the question. */
  typed(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#inputs++;
    this.#prompt.typed(bytes, this.current);
    this.#queriedAt = -Infinity;
    this.#clear();
    this.changed();
  }

  /** Call when the program has ended. */
  ended(): void {
    this.stop();
    this.#clear();
  }

  /** Call when another process takes over, or the terminal is being removed. */
  stop(): void {
    this.#isStopped = true;
    this.#inputs++;
    this.#timer.stop();
  }

  /** Begins the watch, or continues one that began in another process. */
  resume(asked: Asked | null = this.#asked): void {
    this.#asked = asked;
    this.#isStopped = !this.#terminal.isActive;
    this.changed();
  }

  /**
   * Calls `type` if the program is still asking the question with this id, in the same turn of the event loop, so that
   * nothing can happen in between.
   *
   * @throws `NOT_WAITING` if the program is not asking this question, or is no longer asking it.
   */
  async answer<Typed>(id: string, type: (kind: Question['kind']) => Typed): Promise<Typed> {
    if (this.#asked?.question.id !== id) throw this.#notWaiting(this.current);
    const { waiting } = await withQueriedKind(this.#probe());
    if (this.#asked?.question.id !== id || this.#isStopped) throw this.#notWaiting(this.current);
    const { question, pid } = this.#asked;
    if (waiting !== null && waiting.pid === pid && waiting.kind === question.kind && this.#isPrompt(question))
      return type(question.kind);
    this.#timer.soon();
    throw this.#notWaiting(null);
  }

  #notWaiting(waiting: Question | null): TerminalError {
    const { id } = this.#terminal;
    const message = `The program in terminal ${id} is not, or is no longer, asking this question; nothing was typed`;
    return new TerminalError('NOT_WAITING', message, { terminalId: id, waiting });
  }

  /** Probes; returns when to probe again, or null for not until something has happened. */
  async #look(): Promise<number | null> {
    if (!this.#mayAsk) return this.#rest();
    const { outputEnd } = this.#terminal;
    if (outputEnd !== this.#seenEnd) this.#timer.restart();
    this.#seenEnd = outputEnd;
    return this.#asked === null ? this.#seek() : this.#recheck(this.#asked);
  }

  /** A shell with shell integration, nested or not, asks only while it is running a command. */
  get #mayAsk(): boolean {
    const { isActive, shell } = this.#terminal;
    if (!isActive || this.#isStopped) return false;
    return shell === null || (shell.state === 'running' && !shell.isIntegrating);
  }

  #rest(): null {
    this.#clear();
    this.#watch = null;
    return null;
  }

  async #seek(): Promise<number | null> {
    this.#watch ??= this.#newWatch();
    const { settled, nextMs } = this.#watch.check();
    if (settled === null) return nextMs;
    const isHidden = settled.waiting === null;
    if (isHidden && monotonicMs() - this.#queriedAt < QUERY_INTERVAL_MS) return QUERY_INTERVAL_MS;
    if (isHidden) this.#queriedAt = monotonicMs();
    const inputs = this.#inputs;
    const { waiting, tty } = await withQueriedKind(settled);
    const isAtPrompt = waiting !== null && (await isShellAtPrompt(waiting, tty));
    const isSame = inputs === this.#inputs && this.#seenEnd === this.#terminal.outputEnd && this.#mayAsk;
    if (!isSame) return QUIET_MS;
    // What cannot be determined now cannot be determined later either, unless something happens.
    if (waiting === null || isAtPrompt) return this.#rest();
    this.#ask(waiting, !isHidden);
    return nextMs;
  }

  #newWatch(): InputWatch {
    this.#isReading = false;
    const probe = (): InputProbe => {
      const found = this.#probe();
      const isReading = found.waiting !== null;
      // It may have worked for a long time before it asked.
      if (isReading && !this.#isReading) this.#timer.restart();
      this.#isReading = isReading;
      return found;
    };
    return new InputWatch({ now: monotonicMs, outputEnd: () => this.#terminal.outputEnd, probe });
  }

  #ask({ pid, ...wait }: NonNullable<InputProbe['waiting']>, isSeen: boolean): void {
    const since = new Date(Date.now() - this.#timer.passedMs).toISOString();
    const prompt = this.#prompt.of(this.#terminal.cursorLine(), wait.kind);
    const question: Question = { id: randomUUID(), ...wait, since, prompt };
    this.#asked = { question, pid, outputEnd: this.#seenEnd, isSeen };
    this.#misses = 0;
    this.#watch = null;
    this.#tell({ type: 'waiting', waiting: question });
  }

  #recheck(asked: Asked): number {
    if (!isStillSo(asked, this.#probe(), this.#seenEnd)) {
      this.#timer.restart();
      if (++this.#misses >= MISSES) this.#clear();
      return RECHECK_MS;
    }
    this.#misses = 0;
    const isQuiet = this.#timer.passedMs >= QUIET_MS;
    if (asked.outputEnd === this.#seenEnd || !isQuiet) return RECHECK_MS;
    // After further output, an answer to the earlier question may no longer fit.
    if (this.#isPrompt(asked.question)) this.#asked = { ...asked, outputEnd: this.#seenEnd };
    else this.#clear();
    return RECHECK_MS;
  }

  /**
   * Returns whether the terminal still shows the question. For an interactive program (kind `program`), which may draw
   * anything, assumes that it does.
   */
  #isPrompt({ kind, prompt }: Question): boolean {
    return kind === 'program' || this.#prompt.of(this.#terminal.cursorLine(), kind) === prompt;
  }

  #probe(): InputProbe {
    const { shell, pid } = this.#terminal;
    return this.#timer.measured(() => shell?.probe() ?? probeInput({ pid }));
  }

  #clear(): void {
    const asked = this.#asked;
    if (asked === null) return;
    this.#asked = null;
    this.#watch = null;
    this.#tell({ type: 'answered', waiting: asked.question.id });
  }
}

function isStillSo({ isSeen, pid, outputEnd }: Asked, { waiting, isKnown }: InputProbe, seenEnd: number): boolean {
  if (isSeen) return waiting !== null && waiting.pid === pid;
  return waiting === null && !isKnown && outputEnd === seenEnd;
}
