/** WAIT: waits until a command ends or another condition is met in a terminal. */
import { waitWithFallback } from '../../calls/wait-with-fallback.js';
import { isOver } from '../../contract/command.js';
import type { CommandRecord, CommandResult, WaitFor, WaitResult } from '../../contract/command.js';
import { NO_OUTPUT } from '../../contract/output.js';
import type { ToolAnswer, Metadata } from '../answer.js';
import { ANY_PORT } from '../arguments.js';
import type { Arguments } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { lastLine, longestWait, msUntil, untilDone } from '../command-wait.js';
import { commandAnswer, terminalAnswer } from '../outcome.js';
import { withProgress } from '../progress.js';
import { lastCommand, WHOLE_TERMINAL } from '../source.js';
import type { TargetTerminal } from '../workspace.js';

/** Maximum number of a regular expression's groups in the result. */
const MAX_GROUPS = 20;

export async function wait(call: ActionCall): Promise<ToolAnswer> {
  const target = await call.workspace.target(call.args);
  const deadline = performance.now() + longestWait(call);
  const command = await awaitedCommand(call, target);
  if (hasCondition(call.args) || command === undefined) return waitForMore(call, target, command, deadline);
  const result = await untilDone(call, target, command.commandId, deadline);
  return commandAnswer(call, target, result, { isNewOnly: true, more: { reason: reasonOf(result) } });
}

function reasonOf({ completed, state, waiting }: CommandResult): WaitResult['reason'] {
  if (completed) return 'command';
  if (state === 'lost') return 'exit';
  return waiting === null ? 'timeout' : 'input';
}

/**
 * Returns the requested command or, if none was requested, the last one. Returns undefined for a terminal whose program
 * is not a shell.
 */
async function awaitedCommand(
  { workspace, args }: ActionCall,
  { id }: TargetTerminal,
): Promise<CommandRecord | undefined> {
  const { command_id: commandId } = args;
  if (commandId === WHOLE_TERMINAL) return undefined;
  if (commandId !== undefined) return workspace.manager.command(id, commandId);
  return lastCommand(workspace.manager, id);
}

function hasCondition({ pattern, idle_ms: idleMs, port }: Arguments): boolean {
  return pattern !== undefined || idleMs !== undefined || port !== undefined;
}

async function waitForMore(
  call: ActionCall,
  target: TargetTerminal,
  command: CommandRecord | undefined,
  deadline: number,
): Promise<ToolAnswer> {
  const { manager } = call.workspace;
  // If the caller already knows that the command has ended, it is waiting for something else, such as the output of a
  // background server.
  const isTold = command !== undefined && call.workspace.memory(target.id).endReported === command.commandId;
  const request = {
    ...conditionOf(call.args),
    fromOffset: await fromOffsetOf(call, target, command),
    // A shell at its prompt is also waiting for input, but that must not end the wait.
    input: command === undefined || !isOver(command),
    ...(command !== undefined && !isTold && { commandId: command.commandId }),
  };
  const found = withProgress(call.caller, untilFound(call, target, request, deadline), () =>
    lastLine(call, target, command?.commandId),
  );
  const result = await found;
  if (call.args.pattern !== undefined && !call.caller.signal.aborted) {
    call.workspace.memory(target.id).waitedTo = result.offset;
  }
  const options = { isNewOnly: true, more: factsOfWait(result) };
  if (command === undefined) return terminalAnswer(call, target, options);
  const state = await manager.collect(target.id, command.commandId, NO_OUTPUT);
  return commandAnswer(call, target, withWaiting(state, result), options);
}

function conditionOf({ pattern, regex, idle_ms: idleMs, port }: Arguments): WaitFor {
  return {
    ...(pattern !== undefined && { [regex === true ? 'regex' : 'text']: pattern }),
    ...(idleMs !== undefined && { idleMs }),
    ...(port !== undefined && { port: port === ANY_PORT ? true : port }),
  };
}

/**
 * Returns the offset where the command started or the last wait ended, whichever is later, so that no output between
 * two calls is missed.
 */
async function fromOffsetOf(
  { workspace }: ActionCall,
  { id }: TargetTerminal,
  command: CommandRecord | undefined,
): Promise<number> {
  const { waitedTo = 0 } = workspace.memory(id);
  // A lost terminal may have lost its last output.
  return Math.min((await workspace.manager.get(id)).totalBytes, Math.max(waitedTo, command?.fromOffset ?? 0));
}

/**
 * Waits for the condition. If the caller specified one, a program that only listens for keys, such as a server, does
 * not end the wait.
 */
async function untilFound(
  call: ActionCall,
  target: TargetTerminal,
  request: WaitFor,
  deadline: number,
): Promise<WaitResult> {
  const result = await waitBy(call, target, request, deadline);
  const isByTheWay =
    result.reason === 'input' && result.waiting?.certain === false && result.waiting.kind === 'program';
  if (!isByTheWay || !hasCondition(call.args)) return result;
  return waitBy(call, target, { ...request, input: false, fromOffset: result.offset }, deadline);
}

function waitBy(
  { workspace, caller }: ActionCall,
  { id }: TargetTerminal,
  request: WaitFor,
  deadline: number,
): Promise<WaitResult> {
  const requested = { ...request, timeoutMs: msUntil(deadline) };
  return waitWithFallback(workspace.manager, id, requested, { signal: caller.signal });
}

function factsOfWait({ reason, match, port, skippedBytes }: WaitResult): Metadata {
  const groups = match?.groups.slice(0, MAX_GROUPS) ?? [];
  return {
    reason,
    skipped_bytes: skippedBytes > 0 ? skippedBytes : null,
    match: match && { text: match.text, line: match.line, ...(groups.length > 0 && { groups }) },
    port,
  };
}

/** Adds what the wait observed to the result if the single probe in the result was inconclusive. */
export function withWaiting(result: CommandResult, { waiting }: Pick<WaitResult, 'waiting'>): CommandResult {
  if (result.completed || result.waiting !== null || waiting === null) return result;
  return { ...result, waiting, state: 'waiting' };
}
