/** From the flags of `new` and `run` to what the engine is asked for. */
import type { CreateTerminal } from '../contract/terminal.js';
import type { TerminalManager } from '../contract/manager.js';
import type { FlagValues } from './flag.js';
import type { NEW_FLAGS, RUN_FLAGS } from './table/start.js';
import { findTerminal } from './terminal-id.js';

type Flags = FlagValues<typeof RUN_FLAGS> | FlagValues<typeof NEW_FLAGS>;

/** What is not said is left out, for the engine to fill in. */
export async function creationOf(
  manager: TerminalManager,
  flags: Flags,
  [command, ...args]: readonly string[],
): Promise<CreateTerminal> {
  const { cwd, cols, rows, history, env } = flags;
  const like = flags.like === undefined ? undefined : (await findTerminal(manager, flags.like)).id;
  const shell = 'shell' in flags ? flags.shell : undefined;
  const environment = env.length > 0 ? { env: Object.fromEntries(env.map(splitAssignment)) } : {};
  const program = command === undefined ? {} : { command, args };
  return { shell, cwd, cols, rows, history, like, ...environment, ...program };
}

function splitAssignment(assignment: string): [string, string] {
  const at = assignment.indexOf('=');
  return [assignment.slice(0, at), assignment.slice(at + 1)];
}
