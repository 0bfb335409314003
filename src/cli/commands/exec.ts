/** `tenacitty exec`: runs a command in a terminal's shell and passes on its output and exit code. */
import { text as readAll } from 'node:stream/consumers';
import { terminalEnd } from '../../calls/exec-in-new-terminal.js';
import { followCommand } from '../../calls/follow-command.js';
import { isOver, MAX_EXEC_TIMEOUT_MS } from '../../contract/command.js';
import type { CollectCommand, CommandResult, InputWait } from '../../contract/command.js';
import type { FollowedResult } from '../../contract/command-stream.js';
import type { TerminalManager } from '../../contract/manager.js';
import { MAX_PAGE_BYTES, MAX_PAGE_LINES, NO_OUTPUT } from '../../contract/output.js';
import { onEndingSignal } from '../attach/signals.js';
import { TerminalError } from '../../errors.js';
import type { ParsedCall } from '../command.js';
import { creationRequest } from '../creation-request.js';
import {
  COMMAND_WAITING,
  exitCodeOfProgram,
  exitCodeOfSignal,
  FAILED,
  OK,
  StdoutClosed,
  TIMED_OUT,
} from '../exit-code.js';
import { describeLostCommand } from '../lost-command.js';
import { stepsAtCommand, withNextSteps } from '../next-steps.js';
import { usageError } from '../parse.js';
import { isByLabel, oneSelected, wordsAfterId } from '../selection.js';
import { asShellText } from '../shell-words.js';
import { hasColour, print, printJson, printMessage } from '../stdout.js';
import type { EXEC_FLAGS } from '../flags/commands.js';
import { shortId } from '../terminal-id.js';
import { commandFormatter } from '../command-formatter.js';
import type { CommandFormatter } from '../command-formatter.js';
import { withEngine } from '../with-engine.js';

type ExecCall = ParsedCall<typeof EXEC_FLAGS>;
type Flags = ExecCall['flags'];

const STDIN = '-';
/** Request the largest output that a page can contain, to print it as one JSON document. */
const WHOLE_TEXT = { mode: 'full', maxLines: MAX_PAGE_LINES, maxBytes: MAX_PAGE_BYTES } as const;
const WHOLE_BYTES = { mode: 'full', maxBytes: MAX_PAGE_BYTES } as const;

export function exec(call: ExecCall): Promise<number> {
  const words = wordsOf(call);
  const deadline = performance.now() + (call.flags.timeout ?? Infinity);
  return withEngine(call.settings, async (manager, options) => {
    const formatCommand = commandFormatter(options);
    // Reads stdin before a terminal is created, because nothing would remove the terminal if this process were ended
    // while reading.
    const text = words[0] === STDIN && words.length === 1 ? await readAll(process.stdin) : null;
    const { id, shell, isNew } = await placeOf(manager, call);
    const command = text ?? asShellText(words, shell);
    const commandId = await begin(manager, { id, isNew, formatCommand, deadline }, command);
    if (commandId === 'late') return TIMED_OUT;
    if (!call.flags.detach) {
      const code = await new ForegroundCommand(manager, id, commandId, call.flags, formatCommand, deadline).toEnd();
      if (isNew && !call.flags.keep && isOver(await manager.command(id, commandId))) await terminalEnd(manager, id);
      return code;
    }
    await (call.flags.json ? printJson(await manager.command(id, commandId)) : print(`${commandId}\n`));
    return OK;
  });
}

/** Returns the command: the single word after the ID, or the words after `--`. */
function wordsOf(call: ExecCall): readonly string[] {
  const name = 'exec';
  const { program } = call;
  const [text] = wordsAfterId(call);
  if (text !== undefined && program.length > 0) throw usageError({ name }, 'Give either TEXT or words after --.');
  if (text !== undefined) return [text];
  if (program.length > 0) return program;
  if (call.operands.length === 0) throw usageError({ name }, 'COMMAND is missing.');
  throw usageError(
    { name },
    'TEXT, the command to run in ID, is missing. For a command in a new terminal, give it after --.',
  );
}

interface ExecTarget {
  readonly id: string;
  readonly isNew: boolean;
  readonly formatCommand: CommandFormatter;
  /** Infinity means no deadline. */
  readonly deadline: number;
}

interface Place {
  readonly id: string;
  readonly shell: string;
  readonly isNew: boolean;
}

async function placeOf(manager: TerminalManager, call: ExecCall): Promise<Place> {
  const { operands, flags } = call;
  if (operands.length > 0 || isByLabel(call)) {
    refuseForNew(flags);
    return { ...(await oneSelected(manager, call, 'running')), isNew: false };
  }
  const request = await creationRequest(manager, flags, []);
  const detail = await manager.create({ ...request, endsWithCommand: !flags.keep });
  if (flags.keep) printMessage(`opened terminal ${shortId(detail.id)}, which stays open`);
  else if (flags.detach) printMessage(`opened terminal ${shortId(detail.id)}, which ends with the command`);
  return { id: detail.id, shell: detail.shell, isNew: true };
}

function refuseForNew({ name, shell, cwd, env, keep }: Flags): void {
  const given = [name, shell, cwd].some((value) => value !== undefined);
  if (!given && env.length === 0 && !keep) return;
  const message = '--name, --shell, --cwd, --env and --keep apply only to a new terminal: leave out ID and --label.';
  throw usageError({ name: 'exec' }, message);
}

/**
 * Starts the command, and returns its number, or `late` if it did not start in time and never will. Removes a new
 * terminal if the command could not be started in it.
 */
async function begin(manager: TerminalManager, where: ExecTarget, command: string): Promise<number | 'late'> {
  const { id, isNew, formatCommand, deadline } = where;
  try {
    const { commandId } = await manager.exec(id, { command, detach: true, ...NO_OUTPUT, ...timeoutUntil(deadline) });
    return commandId;
  } catch (error) {
    // A new terminal is removed, so next steps that need the terminal would not help.
    const item = isNew ? error : withNextSteps(error, formatCommand);
    const isLate = isNotStarted(error) && performance.now() >= deadline;
    if (isLate) printMessage(`the timeout expired before the command was started: ${(item as TerminalError).message}`);
    if (isNew) {
      await manager.remove(id, { graceMs: 0 }).catch(() => {});
      printMessage(`terminal ${shortId(id)} was removed again, because no command could be started in it`);
    }
    if (isLate) return 'late';
    throw isNew && error instanceof TerminalError ? aboutNone(error) : error;
  }
}

/** Returns the error without its details: they concern a terminal that has been removed, so they are of no use. */
function aboutNone({ code, message, cause }: TerminalError): TerminalError {
  return new TerminalError(code, message, {}, { cause });
}

/** Returns the time that remains for the command to start. Without a deadline, the engine's default applies. */
function timeoutUntil(deadline: number): { readonly timeoutMs?: number } {
  if (deadline === Infinity) return {};
  const leftMs = Math.ceil(deadline - performance.now());
  return { timeoutMs: Math.min(Math.max(leftMs, 1), MAX_EXEC_TIMEOUT_MS) };
}

/** Returns whether the shell did not accept the command for a reason other than a running command. */
function isNotStarted(error: unknown): error is TerminalError {
  return error instanceof TerminalError && error.code === 'TERMINAL_BUSY' && error.details['commandId'] === null;
}

/** One command, from its start until it ends or this process stops following it. */
class ForegroundCommand {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #commandId: number;
  readonly #flags: Flags;
  readonly #formatCommand: CommandFormatter;
  readonly #deadline: number;
  readonly #leaving = new AbortController();
  #signal: NodeJS.Signals | undefined;

  constructor(
    manager: TerminalManager,
    id: string,
    commandId: number,
    flags: Flags,
    formatCommand: CommandFormatter,
    deadline: number,
  ) {
    this.#formatCommand = formatCommand;
    this.#manager = manager;
    this.#id = id;
    this.#commandId = commandId;
    this.#flags = flags;
    this.#deadline = deadline;
  }

  /** Resolves with the exit code. */
  async toEnd(): Promise<number> {
    const letGo = [
      onEndingSignal((signal) => this.#leave(signal), ['SIGHUP', 'SIGTERM']),
      onEndingSignal(() => void this.#interrupt(), ['SIGINT']),
    ];
    try {
      const result = await (this.#flags.json ? this.#collect() : this.#follow());
      return this.#tell(result);
    } catch (error) {
      // As in any pipe, the writer ends when the reader has closed the pipe.
      if (error instanceof StdoutClosed) await this.#interrupt();
      throw error;
    } finally {
      for (const letSignalsGo of letGo) letSignalsGo();
    }
  }

  #leave(signal: NodeJS.Signals): void {
    this.#signal ??= signal;
    this.#leaving.abort();
  }

  async #interrupt(): Promise<void> {
    // A command that has just ended needs no interrupt.
    await this.#manager.interrupt(this.#id, this.#commandId).catch(() => {});
  }

  /** Waits repeatedly, because the duration of each wait is limited. */
  async #follow(): Promise<FollowedResult> {
    const format = this.#flags.format ?? (hasColour() ? 'ansi' : 'text');
    let result: FollowedResult | undefined;
    let hasPrinted = false;
    do {
      const request: CollectCommand = { format, ...this.#nextWait(), cursor: result?.cursor };
      for await (const item of followCommand(this.#manager, this.#id, this.#commandId, request, this.#options)) {
        if (item.event === 'result') result = item.data;
        if (item.event === 'output' && item.data.droppedLines > 0)
          printMessage(`${item.data.droppedLines} lines are missing: they were printed faster than they could be read`);
        if (item.event === 'output') await print(item.data.text);
        hasPrinted ||= item.event === 'output';
      }
    } while (this.#shouldContinue(result!));
    if (hasPrinted && format !== 'raw') await print('\n');
    return result!;
  }

  async #collect(): Promise<CommandResult> {
    const { format = 'text' } = this.#flags;
    let result: CommandResult;
    do {
      const request = { format, ...this.#nextWait(), ...(format === 'raw' ? WHOLE_BYTES : WHOLE_TEXT) };
      result = await this.#manager.collect(this.#id, this.#commandId, request, this.#options);
    } while (this.#shouldContinue(result));
    await printJson(result);
    return result;
  }

  get #options(): { signal: AbortSignal } {
    return { signal: this.#leaving.signal };
  }

  #nextWait(): { readonly timeoutMs: number; readonly untilInput: boolean } {
    const leftMs = Math.max(0, Math.ceil(this.#deadline - performance.now()));
    return { timeoutMs: Math.min(MAX_EXEC_TIMEOUT_MS, leftMs), untilInput: !this.#flags.ignoreInput };
  }

  #shouldContinue(result: FollowedResult): boolean {
    const isEnough = isOver(result) || this.#isWaitingForInput(result) || this.#signal !== undefined;
    return !isEnough && performance.now() < this.#deadline;
  }

  #isWaitingForInput({ waiting }: FollowedResult): boolean {
    return waiting !== null && !this.#flags.ignoreInput;
  }

  /** Reports what the output does not show, and returns the exit code. */
  #tell(result: FollowedResult): number {
    const { completed, state, waiting, shellExited } = result;
    const terminal = shortId(this.#id);
    if (completed) {
      if (shellExited) printMessage(`the shell of terminal ${terminal} has ended with the command`);
      return exitCodeOfProgram(result);
    }
    if (state === 'lost') {
      printMessage(describeLostCommand(this.#id, this.#commandId));
      return FAILED;
    }
    printMessage(
      waiting === null
        ? `command ${this.#commandId} of terminal ${terminal} keeps running`
        : this.#describeWait(waiting),
    );
    for (const step of stepsAtCommand(this.#id, this.#commandId, this.#formatCommand)) printMessage(step);
    if (this.#signal !== undefined) return exitCodeOfSignal(this.#signal);
    return this.#isWaitingForInput(result) ? COMMAND_WAITING : TIMED_OUT;
  }

  #describeWait({ kind, by }: InputWait): string {
    const terminal = shortId(this.#id);
    const what = WAITS[kind];
    return `command ${this.#commandId} of terminal ${terminal} is waiting for input: ${by} ${what}; ${this.#formatCommand(kind === 'program' ? `attach ${terminal}` : `send ${terminal} TEXT`)}`;
  }
}

const WAITS: Readonly<Record<InputWait['kind'], string>> = {
  line: 'is reading a line',
  key: 'is reading keys',
  password: 'is reading a password',
  program: 'is controlled by keys',
  unknown: 'seems to be reading input',
};
