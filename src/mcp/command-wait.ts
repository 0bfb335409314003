/** Waits for a command for as long as a call may take, and reports progress in the meantime. */
import { waitWithFallback } from '../calls/wait-with-fallback.js';
import type { CommandResult } from '../contract/command.js';
import { NO_OUTPUT } from '../contract/output.js';
import { printable } from '../printable.js';
import { DEFAULT_AWAIT_MS } from './arguments.js';
import type { ActionCall } from './call.js';
import { withProgress } from './progress.js';
import { commandSource, terminalSource } from './source.js';
import type { TargetTerminal } from './workspace.js';

/** Time without output after which a remote prompt or question has most likely appeared. */
const ARRIVED_MS = 3000;
/** Maximum wait for the first output from the other side. */
const SETTING_OUT_MS = 20_000;

/**
 * Returns how long a call may wait. Clients time out, and sooner without progress reports; the result must be sent
 * before that.
 */
export function longestWait({ args, caller, workspace }: ActionCall, fallbackMs = DEFAULT_AWAIT_MS): number {
  const wantedMs = args.await_completion_ms ?? fallbackMs;
  return Math.min(wantedMs, caller.report === null ? workspace.yieldMs : workspace.answerMs);
}

/** Returns the time until a deadline, which is a value of `performance.now`, in whole milliseconds. */
export function msUntil(deadline: number): number {
  return Math.max(0, Math.ceil(deadline - performance.now()));
}

/**
 * Resolves to the command's state when it has ended or is waiting for input, or when `deadline` (a value of
 * `performance.now`) is reached.
 */
export function untilDone(
  call: ActionCall,
  target: TargetTerminal,
  commandId: number,
  deadline: number,
): Promise<CommandResult> {
  const { workspace, caller } = call;
  const request = { timeoutMs: msUntil(deadline), ...NO_OUTPUT };
  const outcome = workspace.manager.collect(target.id, commandId, request, { signal: caller.signal });
  return withProgress(caller, outcome, () => lastLine(call, target, commandId));
}

/**
 * Waits like `untilDone`, but for a command that connects to a place where a wait for input cannot be observed. Silence
 * therefore also ends the wait.
 */
export async function untilSilent(
  call: ActionCall,
  target: TargetTerminal,
  commandId: number,
  deadline: number,
): Promise<CommandResult> {
  const { workspace, caller } = call;
  await withProgress(caller, untilArrived(call, target, commandId, deadline), () => lastLine(call, target, commandId));
  return workspace.manager.collect(target.id, commandId, NO_OUTPUT);
}

async function untilArrived(
  { workspace: { manager }, caller: { signal } }: ActionCall,
  { id }: TargetTerminal,
  commandId: number,
  deadline: number,
): Promise<void> {
  const { fromOffset } = await manager.command(id, commandId);
  const timeoutMs = Math.min(SETTING_OUT_MS, msUntil(deadline));
  await waitWithFallback(manager, id, { commandId, input: true, regex: '\\S', fromOffset, timeoutMs }, { signal });
  const silence = { commandId, input: true, idleMs: ARRIVED_MS, timeoutMs: msUntil(deadline) };
  await waitWithFallback(manager, id, silence, { signal });
}

/**
 * Returns the last line that the command printed or, if the command is unknown, the last line in the terminal. The line
 * is shown outside the terminal, for example in a question, where invisible characters could disguise it.
 */
export async function lastLine(
  { workspace }: ActionCall,
  { id }: TargetTerminal,
  commandId: number | undefined,
): Promise<string> {
  const { manager } = workspace;
  const source = commandId === undefined ? terminalSource(manager, id) : commandSource(manager, id, commandId);
  return printable((await source.read({ mode: 'tail', tailLines: 1 })).output);
}
