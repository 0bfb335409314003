/**
 * A command for those who have no terminal yet: one is made, and ends with it. It knows the manager by its interface, and no
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

/** How long the end of a terminal is waited for whose command has ended: what it left running may take longer. */
const END_MS = 2000;

/**
 * Runs a command in a new terminal, which ends with it, whoever is there to see it, unless `keep` is true; the answer says
 * which it is, and it can be read as any that has ended. Where the command cannot be begun, no terminal is left behind.
 *
 * @throws As `TerminalManager.create` and `exec`.
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

/** As `execInNewTerminal`, and tells what the command prints as it comes: see `followExec`. */
export async function* followExecInNewTerminal(
  manager: TerminalManager,
  request: ExecInNewTerminal,
  options: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  refusePart(request);
  const { command, keep, id } = await begin(manager, request, options);
  const events = followExec(manager, id, command, options);
  const first = await orRemoved(manager, id, () => events.next());
  try {
    if (first.done !== true) yield first.value;
    for await (const told of events) {
      if (!keep && told.event === 'result' && told.data.completed) await terminalEnd(manager, id, options);
      yield told;
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

/** Whoever runs one command after the other is not to meet the terminals of those before as running. */
export async function terminalEnd(manager: TerminalManager, id: string, options: WaitOptions = {}): Promise<void> {
  // What is known of the command is the answer, whatever becomes of the terminal.
  await manager.wait(id, { timeoutMs: END_MS }, options).catch(() => {});
}

async function orRemoved<Answer>(manager: TerminalManager, id: string, exec: () => Promise<Answer>): Promise<Answer> {
  try {
    return await exec();
  } catch (error) {
    const isUnused = error instanceof TerminalError && NOT_BEGUN.includes(error.code);
    // The error that is told is the one that matters.
    if (isUnused) await manager.remove(id).catch(() => {});
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
