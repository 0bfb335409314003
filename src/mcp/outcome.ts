/**
 * What is told of a command, or of a program that is no shell's, however far it is: what it has printed, what is known
 * of it, and what to do next. It knows no action.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { runningMs } from '../calls/running-time.js';
import { isOver } from '../contract/command.js';
import type { CommandResult, InputWait } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalDetail } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import { answer } from './answer.js';
import type { Metadata } from './answer.js';
import type { Call } from './call.js';
import { endHint, hintFor } from './hints.js';
import { screenText } from './screen-text.js';
import { commandSource, show, terminalSource } from './source.js';
import type { Shown, Source } from './source.js';
import { nameOf } from './workspace.js';
import type { Target } from './workspace.js';

/** What was printed between two commands is told up to this. */
const MAX_BETWEEN_CHARS = 2000;
const NOTHING_NEW = '(nothing new)';

interface Telling {
  /** Default: the output of the command. */
  readonly source?: Source | undefined;
  /** Whether to show only what no answer before has shown. */
  readonly isNewOnly?: boolean;
  readonly more?: Metadata;
}

/** Answers with the output of a command and how it goes. */
export async function tellCommand(
  call: Call,
  target: Target,
  result: CommandResult,
  { source, isNewOnly = false, more = {} }: Telling = {},
): Promise<CallToolResult> {
  const { manager } = call.workspace;
  const shown = await showTo(call, target, source ?? commandSource(manager, target.id, result.commandId), isNewOnly);
  await remember(call, target, shown, result);
  const prompt = result.waiting === null || result.fullScreen ? null : lastLineOf(shown.text);
  const text = result.fullScreen ? screenText(await manager.screen(target.id)) : textOf(shown);
  const facts = factsOf(result, { prompt, target, command: await textOfRunning(manager, result) });
  return answer(text, { ...nameOf(target), ...facts, ...factsOfShown(shown), ...more });
}

/** Only where it makes a difference. */
export async function textOfRunning(manager: TerminalManager, result: CommandResult): Promise<string> {
  const { state, waiting, terminalId, commandId } = result;
  return state === 'running' && waiting === null ? (await manager.command(terminalId, commandId)).text : '';
}

/** Answers with what a terminal has printed in which no command is known: its program is what runs. */
export async function tellTerminal(
  call: Call,
  target: Target,
  { isNewOnly = false, more = {} }: Omit<Telling, 'source'> = {},
): Promise<CallToolResult> {
  const shown = await showTo(call, target, terminalSource(call.workspace.manager, target.id), isNewOnly);
  await remember(call, target, shown, null);
  const now = await call.workspace.manager.get(target.id);
  return answer(textOf(shown), { ...nameOf(target), ...factsOfTerminal(now), ...factsOfShown(shown), ...more });
}

async function showTo(call: Call, target: Target, source: Source, isNewOnly: boolean): Promise<Shown> {
  const { tail, max_tokens } = call.args;
  const { seen } = call.workspace.memory(target.id);
  if (!isNewOnly || seen?.commandId !== source.commandId) return show(source, target, { tail, max_tokens });
  try {
    return await show(source, target, { tail, max_tokens, cursor: seen.cursor });
  } catch (error) {
    // The command was rendered anew since: its lines are the same, the cursor is none any more.
    if (!(error instanceof TerminalError) || error.code !== 'INVALID_INPUT') throw error;
    return show({ ...source, fromLine: seen.line }, target, { tail, max_tokens });
  }
}

/** What is shown in an answer that nobody waits for any more was not seen. */
async function remember(call: Call, { id }: Target, shown: Shown, result: CommandResult | null): Promise<void> {
  if (call.caller.signal.aborted) return;
  const memory = call.workspace.memory(id);
  const isAll = result === null || shown.commandId === result.commandId;
  memory.seen = isAll
    ? { commandId: shown.commandId, cursor: shown.cursor, line: shown.resumeAt }
    : { commandId: result.commandId, cursor: result.cursor, line: result.nextReadFrom };
  if (result !== null && isOver(result)) memory.endTold = result.commandId;
  if (result?.waiting?.kind === 'password') memory.passwordAt = (await call.workspace.manager.get(id)).totalBytes;
}

function textOf({ text, shownLines, totalLines }: Shown): string {
  return shownLines === 0 && totalLines > 0 ? NOTHING_NEW : text;
}

export function lastLineOf(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

interface Seen {
  /** The line on which it asks for input, if it does. */
  readonly prompt: string | null;
  readonly target: Target;
  /** Its text, where it goes on. */
  readonly command: string;
}

/** The seed's five fields, and what else matters. */
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

/** The same of a terminal in which no command is known. */
export function factsOfTerminal(detail: TerminalDetail): Metadata {
  const { exitCode, signal, directory, status } = detail;
  return {
    ...{ exit_code: exitCode, signal, cwd: directory },
    duration_ms: runningMs(detail),
    completed: status !== 'active',
  };
}

export function factsOfShown(shown: Shown): Metadata {
  const { totalLines, fromLine, leftOutLines, hasCutLine, nextLine, droppedLines } = shown;
  return {
    total_lines: totalLines,
    shown_from_line: fromLine || null,
    truncated: leftOutLines > 0 || hasCutLine || null,
    left_out_lines: leftOutLines || null,
    next_line: nextLine,
    dropped_lines: droppedLines || null,
  };
}
