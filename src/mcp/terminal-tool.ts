/** Defines the `terminal` tool: its description for models, and the implementation of each action. */
import { exec } from './actions/exec.js';
import { input } from './actions/input.js';
import { kill } from './actions/kill.js';
import { list } from './actions/list.js';
import { read } from './actions/read.js';
import { resize } from './actions/resize.js';
import { screen } from './actions/screen.js';
import { search } from './actions/search.js';
import { signal } from './actions/signal.js';
import { wait } from './actions/wait.js';
import { failure } from './answer.js';
import type { ToolAnswer } from './answer.js';
import { ARGUMENTS_JSON_SCHEMA, readArguments } from './arguments.js';
import type { ToolAction } from './arguments.js';
import type { ActionHandler, ActionCall } from './call.js';
import { TerminalError } from '../errors.js';

export const TOOL_NAME = 'terminal';

/** Many clients show a model this text but, until the model searches for the tool, only the tool's name. */
export const INSTRUCTIONS =
  'Use the tool terminal to run shell commands: builds, tests, git, servers, ssh, REPLs. Directory, variables ' +
  'and running programs persist between calls; each terminal number (0, 1, 2…) is a separate shell, for parallel ' +
  'work.';

/** The first 150 characters state the purpose, because some clients show no more than that. */
export const TOOL_DESCRIPTION = `Runs shell commands (builds, tests, git, servers, ssh, REPLs) in persistent terminals; numbers 0, 1, 2… are parallel shells. Directory, variables and running programs persist between calls.

EXEC runs a command. Answers begin with a line of JSON (exit_code, cwd …), then the output. If it is still running, asks for input or the time is up, completed is false and it continues: WAIT waits for its end, a pattern, silence or a port; INPUT types text or keys. In a nested shell or REPL (ssh …), EXEC with within runs commands there.
READ returns the output again, all of it with from_line. SEARCH finds text in it. SCREEN shows what a person would see (full-screen programs). LIST, KILL, RESIZE and SIGNAL do what they say.
Passwords: never type them; ask the user to.`;

/** Describe the tool to clients that examine it before they use it. */
export const TOOL_ANNOTATIONS = {
  title: 'Terminal',
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;

export { ARGUMENTS_JSON_SCHEMA };

const HANDLERS: Readonly<Record<ToolAction, ActionHandler>> = {
  EXEC: exec,
  READ: read,
  LIST: list,
  KILL: kill,
  INPUT: input,
  WAIT: wait,
  SCREEN: screen,
  SEARCH: search,
  RESIZE: resize,
  SIGNAL: signal,
};

/**
 * Handles one call. Converts any error to a result that describes it.
 *
 * @param onFault - Called for internal errors, which the caller cannot correct.
 */
export async function callTerminal(
  { workspace, caller }: Omit<ActionCall, 'args'>,
  given: unknown,
  onFault: (error: unknown) => void,
): Promise<ToolAnswer> {
  let number: number | undefined;
  try {
    const { action, args } = readArguments(given);
    if (args.id === undefined) number = args.terminal ?? 0;
    return await HANDLERS[action]({ workspace, args, caller });
  } catch (error) {
    if (!(error instanceof TerminalError)) onFault(error);
    return failure(error, number);
  }
}
