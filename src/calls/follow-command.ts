/** Streams a command's output as it is printed. Uses the manager interface and does not depend on the API layer. */
import { DEFAULT_EXEC_TIMEOUT_MS } from '../contract/command.js';
import type { CollectCommand, ExecCommand } from '../contract/command.js';
import type { CommandEvent } from '../contract/command-stream.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { NO_OUTPUT } from '../contract/output.js';
import { follow, refusePartialOutput } from './follow.js';

/**
 * Runs a command and yields its events: `started`, `output` as it arrives, and `result` when the command ends or asks
 * for input, or when the timeout expires. After a timeout, the command keeps running. Returning from the iterator ends
 * the wait, but never the command.
 *
 * @param request - The same as for `TerminalManager.exec`. Of the parameters that select output, only `format` is
 * allowed, because all output is streamed.
 * @throws The same errors as `TerminalManager.exec` before the first event, and the same errors as `readCommand` after
 * it.
 */
export async function* followExec(
  manager: TerminalManager,
  id: string,
  request: ExecCommand,
  options: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  refusePartialOutput(request);
  const deadline = performance.now() + (request.timeoutMs ?? DEFAULT_EXEC_TIMEOUT_MS);
  const { commandId } = await manager.exec(id, { ...request, ...NO_OUTPUT, detach: true }, options);
  const { command: _command, detach = false, ...rest } = request;
  const timeoutMs = detach ? 0 : Math.max(0, Math.ceil(deadline - performance.now()));
  yield* followCommand(manager, id, commandId, { ...rest, timeoutMs }, options);
}

/**
 * Yields the events of a command that was started earlier, from the position that `since` or `cursor` specifies
 * (default: its start).
 *
 * @param request - The same as for `TerminalManager.collect`. Of the parameters that select output, only `format` is
 * allowed.
 * @throws The same errors as `TerminalManager.collect`.
 */
export async function* followCommand(
  manager: TerminalManager,
  id: string,
  commandId: number,
  request: CollectCommand = {},
  { signal }: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  refusePartialOutput(request);
  const { timeoutMs, untilInput } = request;
  // Throws for an unknown command before the first event.
  await manager.command(id, commandId);
  const requested = { timeoutMs, untilInput, ...NO_OUTPUT };
  yield* follow(
    {
      started: { terminalId: id, commandId },
      outcome: (end) => manager.collect(id, commandId, requested, { signal: end }),
      read: (page, end) => manager.readCommand(id, commandId, page, { signal: end }),
    },
    request,
    signal,
  );
}
