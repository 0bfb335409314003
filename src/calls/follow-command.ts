/** A command followed as it prints. It knows the manager by its interface, and no door. */
import { DEFAULT_EXEC_TIMEOUT_MS } from '../contract/command.js';
import type { CollectCommand, ExecCommand } from '../contract/command.js';
import type { CommandEvent } from '../contract/command-stream.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { NO_OUTPUT } from '../contract/output.js';
import { follow, refusePart } from './follow.js';

/**
 * Runs a command and tells of it: `started`, `output` as it comes, and `result` when it has ended, waits for input, or
 * time is up; it goes on then. Who stops listening ends the wait, never the command.
 *
 * @param request - As `TerminalManager.exec`, without what says which output is shown, but for `format`: all is told.
 * @throws As `TerminalManager.exec`, before anything is told; as `readCommand` later.
 */
export async function* followExec(
  manager: TerminalManager,
  id: string,
  request: ExecCommand,
  options: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  refusePart(request);
  const deadline = performance.now() + (request.timeoutMs ?? DEFAULT_EXEC_TIMEOUT_MS);
  const { commandId } = await manager.exec(id, { ...request, ...NO_OUTPUT, detach: true }, options);
  const { command: _command, detach = false, ...rest } = request;
  const timeoutMs = detach ? 0 : Math.max(0, Math.ceil(deadline - performance.now()));
  yield* followCommand(manager, id, commandId, { ...rest, timeoutMs }, options);
}

/**
 * Tells of a command that was begun before, from where `since` or `cursor` says, else from its start.
 *
 * @param request - As `TerminalManager.collect`, without what says which output is shown, but for `format`.
 * @throws As `TerminalManager.collect`.
 */
export async function* followCommand(
  manager: TerminalManager,
  id: string,
  commandId: number,
  request: CollectCommand = {},
  { signal }: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  refusePart(request);
  const { timeoutMs, untilInput } = request;
  // An unknown command is an error before anything is told.
  await manager.command(id, commandId);
  const asked = { timeoutMs, untilInput, ...NO_OUTPUT };
  yield* follow(
    {
      started: { terminalId: id, commandId },
      outcome: (end) => manager.collect(id, commandId, asked, { signal: end }),
      read: (page, end) => manager.readCommand(id, commandId, page, { signal: end }),
    },
    request,
    signal,
  );
}
