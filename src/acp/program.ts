/** Starts an agent's command in a terminal: either a program with its arguments, or a line for a shell. */
import type { Caller } from '../contract/caller.js';
import type { TerminalManager } from '../contract/manager.js';
import type { CreateTerminal, TerminalDetail } from '../contract/terminal.js';
import { issueOf } from '../errors.js';

/** The shell that agents write their lines for and, if it is missing, one that is always available. */
const LINE_SHELLS = ['bash', '/bin/sh'] as const;

/** Disables pagers, because the protocol has no means of sending them input. Values from the agent take precedence. */
const NO_PAGER = { PAGER: 'cat', GIT_PAGER: 'cat' } as const;

export interface CommandSpec {
  readonly command: string;
  /** Null if `command` is a line for a shell. */
  readonly args: readonly string[] | null;
  readonly env: Readonly<Record<string, string>>;
}

/** All options of a new terminal except those that specify what runs in it. */
export type NewTerminalOptions = Omit<CreateTerminal, 'command' | 'args' | 'shell' | 'env'>;

/**
 * Starts the command.
 *
 * @throws The same errors as `TerminalManager.create`, in particular `INVALID_INPUT` if the program or the directory
 * does not exist.
 */
export async function startProgram(
  manager: TerminalManager,
  { command, args, env }: CommandSpec,
  place: NewTerminalOptions,
  by: Caller,
): Promise<TerminalDetail> {
  const rest = { ...place, env: { ...NO_PAGER, ...env }, integration: false };
  if (args !== null) return manager.create({ ...rest, command, args: [...args] }, { by });
  const [best, last] = LINE_SHELLS;
  // The line follows `--`, so that it is not read as an option if it starts with `-` or `+`.
  const start = (shell: string): Promise<TerminalDetail> =>
    manager.create({ ...rest, command: shell, args: ['-c', '--', command] }, { by });
  return start(best).catch((error: unknown) => {
    if (issueOf(error, 'command') !== undefined) return start(last);
    throw error;
  });
}
