/** EXEC: runs a command in the shell of a terminal, and creates the terminal if necessary. */
import { waitIfAllowed } from '../../calls/wait-with-fallback.js';
import type { CommandResult } from '../../contract/command.js';
import { NO_OUTPUT } from '../../contract/output.js';
import { TerminalError } from '../../errors.js';
import type { ErrorCode } from '../../errors.js';
import { AdvisedError } from '../advised-error.js';
import type { ToolAnswer } from '../answer.js';
import { requiredArgument } from '../arguments.js';
import type { Arguments } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { hintFor } from '../hints.js';
import { lastLine, longestWait, msUntil, untilDone, untilSilent } from '../command-wait.js';
import { leadsToPrompt } from '../connection.js';
import { currentResult, commandAnswer } from '../outcome.js';
import { withProgress } from '../progress.js';
import { bufferOf, lastCommand, lastPart, resultSource } from '../source.js';
import type { NewTerminal } from '../terminal-numbers.js';
import { enterNestedShell } from '../nested-shell.js';
import type { TargetTerminal } from '../workspace.js';

/** Time that a shell may take to show its first prompt, even if the call itself waits for less. */
const START_MS = 10_000;
const MAX_SHOWN_COMMAND = 200;
const GONE: readonly ErrorCode[] = ['TERMINAL_INACTIVE', 'TERMINAL_NOT_FOUND'];

export async function exec(call: ActionCall): Promise<ToolAnswer> {
  const { workspace, args } = call;
  const command = requiredArgument(args, 'command', 'the command to run, for example {"command":"ls -la"}');
  const { target, note, result } = await run(call, command, performance.now() + longestWait(call));
  const isAlone = args.clear ?? true;
  const source = isAlone ? resultSource(workspace.manager, result) : await bufferOf(workspace, target);
  return commandAnswer(call, target, result, { source, more: { note } });
}

/** Returns whether the command may run in a new shell if this one has ended. */
function mayBeNew({ id, within }: Arguments): boolean {
  return id === undefined && within === undefined;
}

interface Run {
  readonly target: TargetTerminal;
  readonly note: string | null;
  readonly result: CommandResult;
}

/** Runs a command. If the shell ends just then, tries once more in a new terminal. */
async function run(call: ActionCall, command: string, deadline: number, isRetry = false): Promise<Run> {
  const { target, note } = await targetFor(call);
  try {
    return { target, note, result: await runIn(call, target, command, deadline) };
  } catch (error) {
    const isGone = error instanceof TerminalError && GONE.includes(error.code);
    if (!isGone || isRetry || !mayBeNew(call.args)) return refuse(call, target, error);
    call.workspace.numbers.forget(target.id);
    return run(call, command, deadline, true);
  }
}

/** Moves the start of the buffer to the command and runs it. If the command cannot run, restores the buffer. */
async function runIn(
  call: ActionCall,
  target: TargetTerminal,
  command: string,
  deadline: number,
): Promise<CommandResult> {
  const memory = call.workspace.memory(target.id);
  const { bufferFrom } = memory;
  if (call.args.clear === false) return resultOf(call, target, command, deadline);
  memory.bufferFrom = undefined;
  try {
    const result = await resultOf(call, target, command, deadline);
    memory.bufferFrom = result.commandId;
    return result;
  } catch (error) {
    memory.bufferFrom = bufferFrom;
    throw error;
  }
}

/**
 * Runs the command in one request, whose response contains the output. If the wait may be too short for the shell to
 * start, or the command probably opens a prompt elsewhere, starts it detached and waits separately.
 */
async function resultOf(
  call: ActionCall,
  target: TargetTerminal,
  command: string,
  deadline: number,
): Promise<CommandResult> {
  const { workspace, args, caller } = call;
  const { signal } = caller;
  const timeoutMs = msUntil(deadline);
  if (timeoutMs >= START_MS && !leadsToPrompt(command)) {
    const request = { command, timeoutMs, ...lastPart(args) };
    return withProgress(caller, workspace.manager.exec(target.id, request, { signal }), () =>
      lastPrinted(call, target),
    );
  }
  const request = { command, detach: true, timeoutMs: Math.max(timeoutMs, START_MS), ...NO_OUTPUT };
  const { commandId } = await workspace.manager.exec(target.id, request, { signal });
  const until = leadsToPrompt(command) ? untilSilent : untilDone;
  return waitIfAllowed(until(call, target, commandId, deadline), () =>
    workspace.manager.collect(target.id, commandId, NO_OUTPUT),
  );
}

async function lastPrinted(call: ActionCall, target: TargetTerminal): Promise<string> {
  const last = await lastCommand(call.workspace.manager, target.id);
  return lastLine(call, target, last?.commandId);
}

async function targetFor(call: ActionCall): Promise<{ target: TargetTerminal; note: string | null }> {
  const { workspace, args } = call;
  if (args.within !== undefined) return { target: await enterNestedShell(call), note: null };
  if (args.id !== undefined) return { target: await workspace.target(args), note: null };
  const { terminal: number = 0 } = args;
  const opened = await workspace.numbers.open(number, workspace.manager, call.caller.signal);
  return { target: workspace.numbered(opened.id, number), note: noteOf(opened.made, number) };
}

function noteOf(made: NewTerminal | null, number: number): string | null {
  if (made === null) return null;
  const { ended, shell, insteadOf } = made;
  const how = ended?.status === 'lost' ? 'was lost' : 'had ended';
  const notes = [
    ended &&
      `The shell of terminal ${number} ${how}; this is a new shell, in the initial directory. The old terminal ` +
        `has id ${ended.id}.`,
    insteadOf && `Commands run in ${shell}, because ${insteadOf} does not support shell integration.`,
  ];
  return notes.filter(Boolean).join(' ') || null;
}

/** Throws an error that describes what keeps a terminal busy, for how long, and what to do. */
async function refuse({ workspace }: ActionCall, target: TargetTerminal, error: unknown): Promise<never> {
  if (!(error instanceof TerminalError) || error.code !== 'TERMINAL_BUSY') throw error;
  const { commandId } = error.details;
  if (typeof commandId !== 'number') throw error;
  const { text, started } = await workspace.manager.command(target.id, commandId);
  const result = await currentResult(workspace, target.id, commandId);
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(started)) / 1000));
  const name = target.number === null ? `Terminal ${target.id}` : `Terminal ${target.number}`;
  const shown = text.length > MAX_SHOWN_COMMAND ? `${text.slice(0, MAX_SHOWN_COMMAND)}…` : text;
  throw new AdvisedError(
    'TERMINAL_BUSY',
    `${name} is busy: command ${commandId} has been running for ${seconds} s: ${shown}`,
    `Nothing was run. Use another terminal number to run it now. ${hintFor(result, text, target)}`,
  );
}
