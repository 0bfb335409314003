/**
 * From the command of an agent to a terminal it runs in: a program with its arguments, or a line for a shell. It knows
 * neither sessions nor what becomes of the output.
 */
import type { TerminalManager } from '../contract/manager.js';
import type { CreateTerminal, TerminalDetail } from '../contract/terminal.js';
import { TerminalError, type InputIssue } from '../errors.js';

/** What agents write their lines for, and what there is everywhere. */
const LINE_SHELLS = ['bash', '/bin/sh'] as const;

/** Nobody can turn a pager's pages: the protocol has no input. What an agent says itself counts. */
const NO_PAGER = { PAGER: 'cat', GIT_PAGER: 'cat' } as const;

export interface Program {
  readonly command: string;
  /** Null: `command` is a line for a shell. */
  readonly args: readonly string[] | null;
  readonly env: Readonly<Record<string, string>>;
}

/** The place a program is given: all of a new terminal but what runs in it. */
export type ProgramPlace = Omit<CreateTerminal, 'command' | 'args' | 'shell' | 'env'>;

/** @throws As `TerminalManager.create`: `INVALID_INPUT` for what there is no such program or directory as. */
export async function startProgram(
  manager: TerminalManager,
  { command, args, env }: Program,
  place: ProgramPlace,
): Promise<TerminalDetail> {
  const rest = { ...place, env: { ...NO_PAGER, ...env }, integration: false };
  if (args !== null) return manager.create({ ...rest, command, args: [...args] });
  const [best, last] = LINE_SHELLS;
  // Behind `--`, for a line that begins with `-` or `+` is no option.
  const start = (shell: string): Promise<TerminalDetail> =>
    manager.create({ ...rest, command: shell, args: ['-c', '--', command] });
  return start(best).catch((error: unknown) => {
    if (isNoSuchProgram(error)) return start(last);
    throw error;
  });
}

function isNoSuchProgram(error: unknown): boolean {
  if (!(error instanceof TerminalError) || error.code !== 'INVALID_INPUT') return false;
  return (error.details['issues'] as InputIssue[] | undefined)?.some(({ field }) => field === 'command') ?? false;
}
