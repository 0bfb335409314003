/**
 * A command for those who have no terminal yet: one is made, and stays. It knows the manager by its interface, and no
 * door.
 */
import { check } from '../check.js';
import { execInNewTerminal as schema } from '../contract/command.js';
import type { CommandResult, ExecInNewTerminal } from '../contract/command.js';
import type { CommandEvent } from '../contract/command-stream.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { TerminalError } from '../errors.js';
import type { ErrorCode } from '../errors.js';
import { refusePart } from './follow.js';
import { followExec } from './follow-command.js';

/** The command was not begun, and never will be. */
const NOT_BEGUN: readonly ErrorCode[] = ['TERMINAL_BUSY', 'NOT_INTEGRATED', 'TERMINAL_INACTIVE', 'COMMAND_DENIED'];

/**
 * Runs a command in a new terminal, which stays; the answer says which it is. Where the command cannot be begun, no
 * terminal is left behind.
 *
 * @throws As `TerminalManager.create` and `exec`.
 */
export async function execInNewTerminal(
  manager: TerminalManager,
  request: ExecInNewTerminal,
  options: WaitOptions = {},
): Promise<CommandResult> {
  const { terminal, ...command } = check('', schema, request);
  const { id } = await manager.create(terminal, options);
  return orRemoved(manager, id, () => manager.exec(id, command, options));
}

/** As `execInNewTerminal`, and tells what the command prints as it comes: see `followExec`. */
export async function* followExecInNewTerminal(
  manager: TerminalManager,
  request: ExecInNewTerminal,
  options: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  const { terminal, ...command } = check('', schema, request);
  refusePart(command);
  const { id } = await manager.create(terminal, options);
  const events = followExec(manager, id, command, options);
  const first = await orRemoved(manager, id, () => events.next());
  try {
    if (first.done !== true) yield first.value;
    yield* events;
  } finally {
    await events.return(undefined);
  }
}

async function orRemoved<Answer>(manager: TerminalManager, id: string, exec: () => Promise<Answer>): Promise<Answer> {
  try {
    return await exec();
  } catch (error) {
    const isUnused = error instanceof TerminalError && NOT_BEGUN.includes(error.code);
    // The error that is told is the one that matters.
    if (isUnused) await manager.remove(id, { graceMs: 0 }).catch(() => {});
    throw isUnused && error.code === 'NOT_INTEGRATED' ? noFollowedShell() : error;
  }
}

/** What the manager says is about a terminal that is there. */
function noFollowedShell(): TerminalError {
  const message =
    'The new terminal has no shell whose commands can be followed, so nothing is left of it. Leave `shell` and its ' +
    '`args` out, give another shell, or create a terminal and type into it.';
  return new TerminalError('NOT_INTEGRATED', message);
}
