/** Hints on what an agent can do next. */
import { commandName } from '../command-name.js';
import type { CommandResult, InputWait } from '../contract/command.js';
import { leadsToPrompt } from './connection.js';
import { nameOf } from './workspace.js';
import type { Target } from './workspace.js';

type End = Pick<CommandResult, 'shellExited' | 'via' | 'within' | 'timeLimitMs'>;

export const SHELL_ENDED = 'The shell has ended; the next EXEC here makes a new one.';

/** Returns the hint for a command that has ended; null if there is none. */
export function endHint({ shellExited, via, within, timeLimitMs }: End): string | null {
  if (timeLimitMs !== undefined) return `It was ended: it may run for ${timeLimitMs} ms, by the policy of this server.`;
  if (shellExited) return SHELL_ENDED;
  if (within !== null && via === 'exit') return `What ran within command ${within} has ended, and this with it.`;
  return via === 'kernel' ? UNANSWERED : null;
}

/**
 * Returns the hint for a command that is still running.
 *
 * @param text - The command's text.
 */
export function hintFor({ state, waiting }: GoingOn, text: string, target: Target): string {
  if (waiting?.kind === 'password') return passwordHint(target);
  if (state === 'lost') return LOST;
  if (state === 'nested') return NESTED;
  if (waiting === null && leadsToPrompt(text)) return `${CONNECTED} ${callOf(target)} waits for its end.`;
  return waiting === null
    ? `It goes on. ${callOf(target)} waits for its end, ${INTERRUPT} stops it.`
    : ASKS[waiting.kind];
}

/** Returns the hint for a password prompt: the person types the password where no model sees it. */
export function passwordHint({ id, placeFlags }: Pick<Target, 'id' | 'placeFlags'>): string {
  return (
    'A password is asked for. Do not ask the person to tell it and do not type it: ask them to run ' +
    `\`${commandName()} attach ${id}${placeFlags}\` and to type it there; then WAIT. ${INTERRUPT} gives up.`
  );
}

const UNANSWERED =
  'The exit code is not known: what takes lines now does not answer as the shell did, because another program has ' +
  'replaced it (exec), or its hooks were removed. Use another terminal number if EXEC is refused here.';

const INTERRUPT = 'INPUT keys ["ctrl-c"]';

type GoingOn = Pick<CommandResult, 'state' | 'waiting'>;

const LOST =
  'What held this terminal is gone: how the command ended is not known. What it printed is there; the next EXEC makes a new shell.';

const NESTED =
  'Another shell or a REPL has the terminal: EXEC with "within":"auto" runs a command in it, INPUT text types a line. ' +
  'Leave it (exit, ctrl-d) before an EXEC without.';

const CONNECTED =
  'If there is a prompt now, EXEC with "within":"auto" runs a command there (a REPL: "python", "node"), INPUT text types.';

const ASKS: Readonly<Record<Exclude<InputWait['kind'], 'password'>, string>> = {
  line: `It asks for a line: INPUT text answers, ${INTERRUPT} gives up.`,
  key: 'It asks for a key: INPUT keys answers.',
  program:
    'A program that takes keys: SCREEN shows it, INPUT keys work it. If it is a server that also listens to keys, it ' +
    'simply runs: WAIT with pattern or port, or go on in another terminal.',
  unknown: 'It waits for input: SCREEN shows it, INPUT answers.',
};

function callOf(target: Target): string {
  return JSON.stringify({ action: 'WAIT', ...nameOf(target) });
}
