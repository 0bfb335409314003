/** INPUT: types into a terminal and returns the output that follows. */
import type { ToolAnswer } from '../answer.js';
import { waitWithFallback } from '../../calls/wait-with-fallback.js';
import { isOver } from '../../contract/command.js';
import type { CommandRecord, WaitFor, WaitResult } from '../../contract/command.js';
import { NO_OUTPUT } from '../../contract/output.js';
import type { TerminalInput } from '../../contract/terminal.js';
import { invalidInput } from '../../errors.js';
import { DEFAULT_INPUT_AWAIT_MS } from '../arguments.js';
import type { Arguments } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { lastLine, longestWait } from '../command-wait.js';
import { commandAnswer, terminalAnswer } from '../outcome.js';
import { refuseSecrets } from '../secrets/secrets.js';
import { commandSource, lastCommand, terminalSource } from '../source.js';
import { withProgress } from '../progress.js';
import type { TargetTerminal } from '../workspace.js';
import { withWaiting } from './wait.js';

/** Time without output after which the input is assumed to have been processed by the shell. */
const SILENCE_MS = 1000;
/** The same for a command: longer than it takes to detect that its program is waiting for input again. */
const COMMAND_SILENCE_MS = 2500;

export async function input(call: ActionCall): Promise<ToolAnswer> {
  const { workspace, args } = call;
  const typed = typedBy(args);
  const target = await workspace.target(args);
  const last = await lastCommand(workspace.manager, target.id);
  const running = last === undefined || isOver(last) ? undefined : last.commandId;
  await refuseSecrets(call, target, running);
  await markSeen(call, target, running);
  await workspace.manager.write(target.id, typed);
  const wait = await untilHandled(call, target, running);
  return answerAfterInput(call, target, last, wait);
}

/** Returns what to type. @throws `INVALID_INPUT` if there is nothing to type. */
function typedBy({ text, keys, enter }: Arguments): TerminalInput {
  if (text !== undefined || (keys !== undefined && keys.length > 0)) {
    return { ...(text !== undefined && { input: text }), ...(keys && { keys }), ...(enter !== undefined && { enter }) };
  }
  if (enter === true) return { keys: ['enter'] };
  const expected = 'text to type, or keys such as ["ctrl-c"]';
  throw invalidInput({ field: 'text', message: `is missing; expected ${expected}`, expected });
}

/**
 * Makes the result start with the output that follows the input, unless earlier output of the running command has been
 * shown.
 */
async function markSeen({ workspace }: ActionCall, { id }: TargetTerminal, running: number | undefined): Promise<void> {
  const { manager } = workspace;
  const memory = workspace.memory(id);
  const source = running === undefined ? terminalSource(manager, id) : commandSource(manager, id, running);
  if (running !== undefined && memory.seen?.commandId === running) return;
  const { cursor, totalLines } = await source.read(NO_OUTPUT);
  memory.seen = { commandId: source.commandId, cursor, line: totalLines };
}

async function untilHandled(
  call: ActionCall,
  target: TargetTerminal,
  running: number | undefined,
): Promise<WaitResult> {
  const { workspace, caller } = call;
  const request: WaitFor = {
    idleMs: running === undefined ? SILENCE_MS : COMMAND_SILENCE_MS,
    timeoutMs: longestWait(call, DEFAULT_INPUT_AWAIT_MS),
    ...(running !== undefined && { commandId: running, input: true }),
  };
  const outcome = waitWithFallback(workspace.manager, target.id, request, { signal: caller.signal });
  return withProgress(caller, outcome, () => lastLine(call, target, running));
}

async function answerAfterInput(
  call: ActionCall,
  target: TargetTerminal,
  before: CommandRecord | undefined,
  wait: WaitResult,
) {
  const options = { isNewOnly: true, more: { reason: wait.reason } };
  const last = await lastCommand(call.workspace.manager, target.id);
  const isOld = last === undefined || (before !== undefined && isOver(before) && last.commandId === before.commandId);
  if (isOld) return terminalAnswer(call, target, options);
  const result = await call.workspace.manager.collect(target.id, last.commandId, NO_OUTPUT);
  return commandAnswer(call, target, withWaiting(result, wait), options);
}
