/** Formulates hints for agents on what to do next. */
import { commandName } from '../command-name.js';
import type { CommandResult, InputWait } from '../contract/command.js';
import { leadsToPrompt } from './connection.js';
import { nameOf } from './workspace.js';
import type { TargetTerminal } from './workspace.js';

type End = Pick<CommandResult, 'shellExited' | 'via' | 'within' | 'timeLimitMs'>;

export const SHELL_ENDED = 'The shell has ended; the next EXEC here starts a new one.';

/** Returns the hint for a command that has ended, or null if there is nothing to add. */
export function endHint({ shellExited, via, within, timeLimitMs }: End): string | null {
  if (timeLimitMs !== undefined)
    return `The policy of this server ended it: commands may run for at most ${timeLimitMs} ms.`;
  if (shellExited) return SHELL_ENDED;
  if (within !== null && via === 'exit')
    return `The nested shell in command ${within} has ended, and this command with it.`;
  return via === 'kernel' ? UNANSWERED : null;
}

/**
 * Returns the hint for a command that is still running.
 *
 * @param text - Text of the command.
 */
export function hintFor({ state, waiting }: RunningCommand, text: string, target: TargetTerminal): string {
  if (waiting?.kind === 'password') return passwordHint(target);
  if (state === 'lost') return LOST;
  if (state === 'nested') return NESTED;
  if (waiting === null && leadsToPrompt(text))
    return `${CONNECTED} ${callOf(target)} waits for the end of the command.`;
  return waiting === null
    ? `It is still running. ${callOf(target)} waits for its end, ${INTERRUPT} stops it.`
    : ASKS[waiting.kind];
}

/** Returns the hint for a password prompt: the user should type the password where no model sees it. */
export function passwordHint({ id, placeFlags }: Pick<TargetTerminal, 'id' | 'placeFlags'>): string {
  return (
    'The program is asking for a password. Do not ask the user for it and do not type it: ask the user to run ' +
    `\`${commandName()} attach ${id}${placeFlags}\` and type it there; then WAIT. ${INTERRUPT} cancels.`
  );
}

const UNANSWERED =
  'The exit code is unknown, because shell integration stopped working: another program has replaced the shell ' +
  '(exec), or its hooks were removed. If EXEC fails here, use another terminal number.';

const INTERRUPT = 'INPUT keys ["ctrl-c"]';

type RunningCommand = Pick<CommandResult, 'state' | 'waiting'>;

const LOST =
  'The host process of this terminal is gone, so it is unknown how the command ended. READ still returns its ' +
  'output; the next EXEC starts a new shell.';

const NESTED =
  'A nested shell or REPL is in the foreground: EXEC with "within":"auto" runs a command in it, INPUT text types ' +
  'a line. Leave it (exit, ctrl-d) before you use EXEC without "within".';

const CONNECTED =
  'If it shows a prompt now, EXEC with "within":"auto" (for a REPL: "python", "node") runs a command there, and ' +
  'INPUT text types.';

const ASKS: Readonly<Record<Exclude<InputWait['kind'], 'password'>, string>> = {
  line: `It is waiting for a line: INPUT text answers, ${INTERRUPT} cancels.`,
  key: 'It is waiting for a key: INPUT keys answers.',
  program:
    'It is an interactive program: SCREEN shows it, INPUT keys controls it. If it is a server that also accepts ' +
    'keys, it is running: WAIT with pattern or port, or continue in another terminal.',
  unknown: 'It is waiting for input: SCREEN shows it, INPUT answers.',
};

function callOf(target: TargetTerminal): string {
  return JSON.stringify({ action: 'WAIT', ...nameOf(target) });
}
