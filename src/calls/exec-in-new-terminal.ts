/**
 * Runs a command for a caller that has no terminal, by creating one that ends with the command. Uses the manager
 * interface and does not depend on the API layer.
 */
import { check } from '../check.js';
import { execInNewTerminal as schema } from '../contract/command.js';
import type { CommandResult, ExecInNewTerminal } from '../contract/command.js';
import type { CommandEvent } from '../contract/command-stream.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { TerminalError } from '../errors.js';
import type { ErrorCode } from '../errors.js';
import { refusePartialOutput } from './follow.js';
import { followExec } from './follow-command.js';

/** Errors after which the command may be running or may still begin. */
const OUTCOME_UNKNOWN: readonly ErrorCode[] = ['HOST_LOST', 'HOST_UNRESPONSIVE', 'HOST_FAILED'];

/** Time to wait for the terminal to end after its command. Processes that the command left running may need more. */
const END_MS = 2000;

/**
 * Runs a command in a new terminal that ends with the command, even if the caller disconnects, unless `keep` is true.
 * The result contains the terminal's id. The terminal's output can be read like that of any ended terminal. If the
 * command cannot start, removes the terminal.
 *
 * @throws The same errors as `TerminalManager.create` and `exec`.
 */
export async function execInNewTerminal(
  manager: TerminalManager,
  request: ExecInNewTerminal,
  options: WaitOptions = {},
): Promise<CommandResult> {
  const { command, keep, id } = await begin(manager, request, options);
  const result = await orRemoved(manager, id, () => manager.exec(id, command, options));
  if (!keep && result.completed) await terminalEnd(manager, id, options);
  return result;
}

/** Runs a command as `execInNewTerminal` does, and yields its output as it arrives, like `followExec`. */
export async function* followExecInNewTerminal(
  manager: TerminalManager,
  request: ExecInNewTerminal,
  options: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  refusePartialOutput(request);
  const { command, keep, id } = await begin(manager, request, options);
  const events = followExec(manager, id, command, options);
  const first = await orRemoved(manager, id, () => events.next());
  try {
    if (first.done !== true) yield first.value;
    for await (const event of events) {
      if (!keep && event.event === 'result' && event.data.completed) await terminalEnd(manager, id, options);
      yield event;
    }
  } finally {
    await events.return(undefined);
  }
}

async function begin(manager: TerminalManager, request: ExecInNewTerminal, options: WaitOptions) {
  const { terminal = {}, keep, cwd = terminal.cwd, ...command } = check('', schema, request);
  const { id } = await manager.create({ ...terminal, cwd, endsWithCommand: !keep }, options);
  return { command, keep, id };
}

/**
 * Waits for the terminal to end, so that a caller that runs one command after another does not see the earlier
 * terminals as running.
 */
export async function terminalEnd(manager: TerminalManager, id: string, options: WaitOptions = {}): Promise<void> {
  // The command's result is returned whatever happens to the terminal.
  await manager.wait(id, { timeoutMs: END_MS }, options).catch(() => {});
}

async function orRemoved<Answer>(manager: TerminalManager, id: string, exec: () => Promise<Answer>): Promise<Answer> {
  try {
    return await exec();
  } catch (error) {
    if (!(error instanceof TerminalError) || !(await isUnused(manager, id, error))) throw error;
    // If the terminal cannot be removed, the original error is still the one to report.
    await manager.remove(id).catch(() => {});
    throw error.code === 'NOT_INTEGRATED' ? noFollowedShell() : error;
  }
}

/**
 * Returns whether no command has begun in the terminal. Whatever the error was, such a terminal is useless, because the
 * caller does not know its id.
 */
async function isUnused(manager: TerminalManager, id: string, { code }: TerminalError): Promise<boolean> {
  if (OUTCOME_UNKNOWN.includes(code)) return false;
  const begun = await manager.commands(id, { limit: 1 }).catch(() => null);
  return begun?.length === 0;
}

/** Replaces the manager's message, which refers to an existing terminal. */
function noFollowedShell(): TerminalError {
  const message =
    'There is no shell integration in the new terminal, so it was removed. Leave out `shell` and its `args`, ' +
    'give another shell, or create a terminal and type into it.';
  return new TerminalError('NOT_INTEGRATED', message);
}
