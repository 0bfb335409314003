/** INPUT: types into a terminal and returns the effect. */
import type { Answer } from '../answer.js';
import { waitAsTold } from '../../calls/wait-as-told.js';
import { isOver } from '../../contract/command.js';
import type { CommandRecord, WaitFor, WaitResult } from '../../contract/command.js';
import { NO_OUTPUT } from '../../contract/output.js';
import type { TerminalInput } from '../../contract/terminal.js';
import { invalidInput } from '../../errors.js';
import { DEFAULT_INPUT_AWAIT_MS } from '../arguments.js';
import type { Arguments } from '../arguments.js';
import type { Call } from '../call.js';
import { lastLine, longestWait } from '../command-wait.js';
import { tellCommand, tellTerminal } from '../outcome.js';
import { refuseSecrets } from '../secrets/secrets.js';
import { commandSource, lastCommand, terminalSource } from '../source.js';
import { tellingOf } from '../progress.js';
import type { Target } from '../workspace.js';
import { withWaiting } from './wait.js';

/** After this long without output, the input is assumed to have been processed. */
const SILENCE_MS = 1000;

export async function input(call: Call): Promise<Answer> {
  const { workspace, args } = call;
  const typed = typedBy(args);
  const target = await workspace.target(args);
  const last = await lastCommand(workspace.manager, target.id);
  const running = last === undefined || isOver(last) ? undefined : last.commandId;
  await refuseSecrets(call, target, running);
  await markSeen(call, target, running);
  await workspace.manager.write(target.id, typed);
  const wait = await untilDealtWith(call, target, running);
  return tell(call, target, last, wait);
}

/** @throws `INVALID_INPUT` if there is nothing to type. */
function typedBy({ text, keys, enter }: Arguments): TerminalInput {
  if (text !== undefined || (keys !== undefined && keys.length > 0)) {
    return { ...(text !== undefined && { input: text }), ...(keys && { keys }), ...(enter !== undefined && { enter }) };
  }
  if (enter === true) return { keys: ['enter'] };
  const expected = 'text to type, or keys such as ["ctrl-c"]';
  throw invalidInput({ field: 'text', message: `is missing; expected ${expected}`, expected });
}

/** If nothing was shown yet, the answer starts with the output that follows. */
async function markSeen({ workspace }: Call, { id }: Target, running: number | undefined): Promise<void> {
  const { manager } = workspace;
  const memory = workspace.memory(id);
  const source = running === undefined ? terminalSource(manager, id) : commandSource(manager, id, running);
  if (running !== undefined && memory.seen?.commandId === running) return;
  const { cursor, totalLines } = await source.read(NO_OUTPUT);
  memory.seen = { commandId: source.commandId, cursor, line: totalLines };
}

async function untilDealtWith(call: Call, target: Target, running: number | undefined): Promise<WaitResult> {
  const { workspace, caller } = call;
  const request: WaitFor = {
    ...{ idleMs: SILENCE_MS, timeoutMs: longestWait(call, DEFAULT_INPUT_AWAIT_MS) },
    ...(running !== undefined && { commandId: running, input: true }),
  };
  const outcome = waitAsTold(workspace.manager, target.id, request, { signal: caller.signal });
  return tellingOf(caller, outcome, () => lastLine(call, target, running));
}

async function tell(call: Call, target: Target, before: CommandRecord | undefined, wait: WaitResult) {
  const telling = { isNewOnly: true, more: { reason: wait.reason } };
  const last = await lastCommand(call.workspace.manager, target.id);
  const isOld = last === undefined || (before !== undefined && isOver(before) && last.commandId === before.commandId);
  if (isOld) return tellTerminal(call, target, telling);
  const result = await call.workspace.manager.collect(target.id, last.commandId, NO_OUTPUT);
  return tellCommand(call, target, withWaiting(result, wait), telling);
}
