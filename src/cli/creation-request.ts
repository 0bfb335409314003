/** Converts the flags of `new`, `run` and `exec` to a request to the engine. */
import { labelsOf } from '../contract/labels.js';
import type { CreateTerminal, TerminalDetail } from '../contract/terminal.js';
import type { TerminalManager } from '../contract/manager.js';
import type { Options } from '../config.js';
import type { FlagValues } from './flag.js';
import type { NEW_FLAGS, RUN_FLAGS, START_FLAGS } from './flags/start.js';
import { findTerminal } from './terminal-id.js';

/** The flags of `new`, `run` and `exec`, of which `exec` has fewer. */
type Flags = FlagValues<typeof START_FLAGS> & Partial<FlagValues<typeof NEW_FLAGS> & FlagValues<typeof RUN_FLAGS>>;

/** Returns the request. Omits the fields of flags that were not given, so that the engine's defaults apply. */
export async function creationRequest(
  manager: TerminalManager,
  flags: Flags,
  [command, ...args]: readonly string[],
): Promise<CreateTerminal> {
  const { name, cwd, cols, rows, history, env, label = [], timeLimit: timeLimitMs } = flags;
  const like = flags.like === undefined ? undefined : (await findTerminal(manager, flags.like)).id;
  const shell = 'shell' in flags ? flags.shell : undefined;
  const environment = env.length > 0 ? { env: Object.fromEntries(env.map(splitAssignment)) } : {};
  const program = command === undefined ? {} : { command, args };
  const labels = label.length > 0 ? labelsOf(label) : undefined;
  return { name, shell, cwd, cols, rows, history, like, labels, timeLimitMs, ...environment, ...program };
}

/** Used for terminals that a person opens, unless the session timeout is set. */
const NO_SESSION_TIMEOUT = { sessionTimeoutMs: 0 } as const;

/** Creates a terminal as `tenacitty new` does. */
export async function createForPerson(
  manager: TerminalManager,
  { origins }: Pick<Options, 'origins'>,
  flags: Flags,
  program: readonly string[],
): Promise<TerminalDetail> {
  const timeout = origins.TENACITTY_SESSION_TIMEOUT === 'default' ? NO_SESSION_TIMEOUT : {};
  return manager.create({ ...(await creationRequest(manager, flags, program)), ...timeout });
}

function splitAssignment(assignment: string): [string, string] {
  const at = assignment.indexOf('=');
  return [assignment.slice(0, at), assignment.slice(at + 1)];
}
