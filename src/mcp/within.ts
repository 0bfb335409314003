/**
 * Makes sure that a command will run in the shell or REPL that a command in the terminal has led to, and in no other. It
 * knows no action.
 */
import type { ShellWithin } from '../contract/command.js';
import { TerminalError } from '../errors.js';
import { Advice } from './advice.js';
import type { Arguments } from './arguments.js';
import type { Call } from './call.js';
import { passwordHint } from './hints.js';
import type { Target } from './workspace.js';

/** For a prompt to come, there too, and what is typed at it to be answered. */
const ARRIVAL_MS = 10_000;

/**
 * @returns The terminal, in whose innermost shell or REPL commands run from now on.
 * @throws `TERMINAL_NOT_FOUND`; `NOT_INTEGRATED` if nothing is there that takes commands, or it is not what the caller
 *   says it is: then nothing is to be run.
 */
export async function enterWithin({ workspace, args, caller }: Call): Promise<Target> {
  const target = await workspace.target(args);
  const request = { as: args.within, timeoutMs: ARRIVAL_MS };
  try {
    const inner = await workspace.manager.integrate(target.id, request, { signal: caller.signal });
    holdTo(args.within, inner);
    return target;
  } catch (error) {
    if (!(error instanceof TerminalError) || error.code !== 'NOT_INTEGRATED' || error instanceof Advice) throw error;
    throw new Advice(error.code, `Nothing was run. ${problemOf(error)}`, adviceFor(error, target), error.details);
  }
}

/** What was entered before is whatever it is: text for something else is not for it. */
function holdTo(asked: Arguments['within'], { kind, within }: ShellWithin): void {
  const isRepl = kind === 'python' || kind === 'node';
  if (asked === undefined || asked === 'auto' || asked === (isRepl ? kind : 'sh')) return;
  throw new Advice(
    'NOT_INTEGRATED',
    `Nothing was run. Within command ${within} there is ${kind}, not ${asked}.`,
    `"within":"${isRepl ? kind : 'sh'}", or "auto", runs a command in it.`,
  );
}

/** In the words of the tool. */
function problemOf({ message, details }: TerminalError): string {
  if (details['commandId'] === null) return 'No command runs there, so there is no shell within one.';
  return message.replace('`as`', '`within`');
}

function adviceFor({ details }: TerminalError, target: Target): string {
  if (details['commandId'] === null) return 'Leave out "within" to run it there.';
  const waiting = details['waiting'] as { readonly kind: string } | null | undefined;
  if (waiting?.kind === 'password') return passwordHint(target);
  return 'SCREEN shows what is there, INPUT types to it; "within" can say what it is: sh, python, node.';
}
