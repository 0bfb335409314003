/**
 * Makes sure that a command will run in the shell or REPL that a command in the terminal has led to, and in no other. It
 * knows no action.
 */
import { TerminalError } from '../errors.js';
import { Advice } from './answer.js';
import type { Call } from './call.js';
import { passwordHint } from './hints.js';
import type { Target } from './workspace.js';

/** For a prompt to come, there too, and what is typed at it to be answered. */
const ARRIVAL_MS = 10_000;

/**
 * @returns The terminal, in whose innermost shell or REPL commands run from now on.
 * @throws `TERMINAL_NOT_FOUND`; `NOT_INTEGRATED` if nothing is there that takes commands: then nothing is to be run.
 */
export async function enterWithin({ workspace, args, caller }: Call): Promise<Target> {
  const target = await workspace.target(args);
  const request = { as: args.within, timeoutMs: ARRIVAL_MS };
  try {
    await workspace.manager.integrate(target.id, request, { signal: caller.signal });
    return target;
  } catch (error) {
    if (!(error instanceof TerminalError) || error.code !== 'NOT_INTEGRATED') throw error;
    throw new Advice(error.code, `Nothing was run. ${error.message}`, adviceFor(error, target));
  }
}

function adviceFor({ details }: TerminalError, target: Target): string {
  if (details['commandId'] === null) return 'Leave out "within" to run it there.';
  const waiting = details['waiting'] as { readonly kind: string } | null | undefined;
  if (waiting?.kind === 'password') return passwordHint(target);
  return 'SCREEN shows what is there, INPUT types to it; "within" can say what it is: sh, python, node.';
}
