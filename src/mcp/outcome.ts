/**
 * Builds the result for a command, or for a program that is not a shell, at any stage: its output, what is known about
 * it, and what to do next.
 */
import { runningMs } from '../calls/running-time.js';
import { isOver } from '../contract/command.js';
import type { CommandResult, InputWait } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import { NO_OUTPUT } from '../contract/output.js';
import type { TerminalDetail } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import { answer } from './answer.js';
import type { ToolAnswer, Metadata } from './answer.js';
import type { ActionCall } from './call.js';
import { lastLine } from './command-wait.js';
import { endHint, hintFor, SHELL_ENDED } from './hints.js';
import { screenText } from './screen-text.js';
import { commandSource, lastCommand, readExcerpt, terminalSource, WHOLE_TERMINAL } from './source.js';
import type { ShownExcerpt, ReadSource } from './source.js';
import { nameOf } from './workspace.js';
import type { TargetTerminal, Workspace } from './workspace.js';

/** Output between two commands is included in the result if it is not longer than this. */
const MAX_BETWEEN_CHARS = 2000;
const MAX_PROMPT_CHARS = 1000;
const NOTHING_NEW = '(nothing new)';

interface AnswerOptions {
  /** Where to read the output. Default: the output of the command. */
  readonly source?: ReadSource | undefined;
  /** Whether to show only output that no earlier result has shown. */
  readonly isNewOnly?: boolean;
  readonly more?: Metadata;
}

/** Returns a result that contains the output and state of a command. */
export async function commandAnswer(
  call: ActionCall,
  target: TargetTerminal,
  result: CommandResult,
  { source, isNewOnly = false, more = {} }: AnswerOptions = {},
): Promise<ToolAnswer> {
  const { manager } = call.workspace;
  const shown = await readFor(call, target, source ?? commandSource(manager, target.id, result.commandId), isNewOnly);
  await remember(call, target, shown, result);
  const prompt = await promptOf(call, target, result);
  const text = result.fullScreen ? screenText(await manager.screen(target.id)) : textOf(shown);
  const facts = factsOf(result, { prompt, target, command: await textOfRunning(manager, result) });
  const ended = isNewOnly ? await factsOfEnd(call.workspace, result) : {};
  return answer(text, { ...nameOf(target), ...facts, ...ended, ...factsOfShown(shown), ...more });
}

/** Reports that the shell has ended since the command ran, which is not part of the command's record. */
export async function factsOfEnd({ manager }: Workspace, result: CommandResult): Promise<Metadata> {
  if (!result.completed || result.shellExited) return {};
  const { status } = await manager.get(result.terminalId);
  return status === 'active' ? {} : { shell_ended: true, hint: SHELL_ENDED };
}

/** Returns the command's text, but only if the hint depends on it. */
export async function textOfRunning(manager: TerminalManager, result: CommandResult): Promise<string> {
  const { state, waiting, terminalId, commandId } = result;
  return state === 'running' && waiting === null ? (await manager.command(terminalId, commandId)).text : '';
}

/** Returns a result that contains the output of the whole terminal, because no command in it is known. */
export async function terminalAnswer(
  call: ActionCall,
  target: TargetTerminal,
  { isNewOnly = false, more = {} }: Omit<AnswerOptions, 'source'> = {},
): Promise<ToolAnswer> {
  const shown = await readFor(call, target, terminalSource(call.workspace.manager, target.id), isNewOnly);
  await remember(call, target, shown, null);
  const facts = await factsOfTerminal(call.workspace.manager, target.id);
  return answer(textOf(shown), { ...nameOf(target), ...facts, ...factsOfShown(shown), ...more });
}

async function readFor(
  call: ActionCall,
  target: TargetTerminal,
  source: ReadSource,
  isNewOnly: boolean,
): Promise<ShownExcerpt> {
  const { tail, max_tokens } = call.args;
  const { seen } = call.workspace.memory(target.id);
  if (!isNewOnly || seen?.commandId !== source.commandId) return readExcerpt(source, target, { tail, max_tokens });
  try {
    return await readExcerpt(source, target, { tail, max_tokens, cursor: seen.cursor });
  } catch (error) {
    // The command has been rendered again since, so its lines are the same, but the cursor is no longer valid.
    if (!(error instanceof TerminalError) || error.code !== 'INVALID_INPUT') throw error;
    return readExcerpt({ ...source, fromLine: seen.line }, target, { tail, max_tokens });
  }
}

/** Records what was shown, unless the caller is no longer waiting for the result. */
async function remember(
  call: ActionCall,
  { id }: TargetTerminal,
  shown: ShownExcerpt,
  result: CommandResult | null,
): Promise<void> {
  if (call.caller.signal.aborted) return;
  const memory = call.workspace.memory(id);
  const isAll = result === null || shown.commandId === result.commandId;
  memory.seen = isAll
    ? { commandId: shown.commandId, cursor: shown.cursor, line: shown.resumeAt }
    : { commandId: result.commandId, cursor: result.cursor, line: result.nextReadFrom };
  if (result !== null && isOver(result)) memory.endReported = result.commandId;
  if (result === null || result.waiting === null) return;
  const { commandId, state, waiting } = result;
  const { totalBytes } = await call.workspace.manager.get(id);
  memory.waits = { commandId, state, by: waiting, at: totalBytes };
  if (waiting.kind === 'password') memory.passwordAt = totalBytes;
}

/**
 * Returns the current state of a command. If a program also listens to other sources, a single probe cannot show that
 * it is waiting, so the last known state remains valid until something is printed.
 */
export async function currentResult(workspace: Workspace, id: string, commandId: number): Promise<CommandResult> {
  const { manager } = workspace;
  const result = await manager.collect(id, commandId, NO_OUTPUT);
  const { waits } = workspace.memory(id);
  if (result.state !== 'running' || result.waiting !== null || waits?.commandId !== commandId) return result;
  const { totalBytes } = await manager.get(id);
  return waits.at === totalBytes ? { ...result, state: waits.state, waiting: waits.by } : result;
}

function textOf({ text, shownLines, totalLines }: ShownExcerpt): string {
  return shownLines === 0 && totalLines > 0 ? NOTHING_NEW : text;
}

/** Returns the line that asks for the command's input, if any, whether or not it has been shown before. */
export async function promptOf(
  call: ActionCall,
  target: TargetTerminal,
  result: CommandResult,
): Promise<string | null> {
  if (result.waiting === null || result.fullScreen) return null;
  return (await lastLine(call, target, result.commandId)).slice(-MAX_PROMPT_CHARS);
}

interface Seen {
  /** The line that asks for the command's input, or null if the command is not waiting for input. */
  readonly prompt: string | null;
  readonly target: TargetTerminal;
  /** The command's text, if it is still running. */
  readonly command: string;
}

/** Returns the original API's five fields and all other relevant facts. */
export function factsOf(result: CommandResult, { prompt, target, command }: Seen): Metadata {
  const { exitCode, signal, cwd, durationMs, completed, commandId, state, waiting, between, shellExited } = result;
  const hint = completed ? endHint(result) : hintFor(result, command, target);
  return {
    exit_code: completed ? exitCode : null,
    ...{ signal, cwd, duration_ms: durationMs, completed, command_id: commandId },
    within: result.within,
    state: completed ? null : state,
    waiting: waiting && factsOfWaiting(waiting, prompt),
    full_screen: result.fullScreen || null,
    shell_ended: shellExited || null,
    between: between === '' ? null : between.slice(-MAX_BETWEEN_CHARS),
    hint,
  };
}

function factsOfWaiting({ kind, by, certain }: InputWait, prompt: string | null): Metadata {
  return { kind, by, ...(prompt !== null && { prompt }), certain };
}

/** Returns the facts about a terminal without known commands: what its program is doing, or that its shell is free. */
export async function factsOfTerminal(manager: TerminalManager, id: string): Promise<Metadata> {
  const detail = await manager.get(id);
  if (await isFree(manager, detail)) return { cwd: detail.cwd, completed: true, hint: FREE };
  const { exitCode, signal, cwd, status } = detail;
  return {
    ...{ exit_code: exitCode, signal, cwd },
    duration_ms: runningMs(detail),
    completed: status !== 'active',
  };
}

const FREE = 'No command is running; the shell is at its prompt. EXEC runs a command.';

/** Returns whether the terminal has a shell that is not running a command. */
export async function isFree(manager: TerminalManager, { id, status, integrated }: TerminalDetail): Promise<boolean> {
  if (status !== 'active' || !integrated) return false;
  const last = await lastCommand(manager, id);
  return last === undefined || isOver(last);
}

export function factsOfShown(shown: ShownExcerpt): Metadata {
  const { totalLines, fromLine, leftOutLines, hasCutLine, nextLine, droppedLines } = shown;
  return {
    total_lines: totalLines,
    lines_of: shown.commandId === WHOLE_TERMINAL ? WHOLE_TERMINAL : null,
    shown_from_line: fromLine || null,
    truncated: leftOutLines > 0 || hasCutLine || null,
    left_out_lines: leftOutLines || null,
    next_line: nextLine,
    dropped_lines: droppedLines || null,
  };
}
