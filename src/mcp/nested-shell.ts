/**
 * Ensures that a command runs in the nested shell or REPL that a command in the terminal has opened, and nowhere else.
 */
import type { NestedShell } from '../contract/command.js';
import { TerminalError } from '../errors.js';
import { AdvisedError } from './advised-error.js';
import type { Arguments } from './arguments.js';
import type { ActionCall } from './call.js';
import { passwordHint } from './hints.js';
import type { TargetTerminal } from './workspace.js';

/** Maximum time for a nested shell or REPL to show its prompt and respond to what is typed into it. */
const INTEGRATION_MS = 10_000;

/**
 * Makes commands run in the innermost shell or REPL of a terminal.
 *
 * @returns The terminal.
 * @throws `TERMINAL_NOT_FOUND` if there is no such terminal, or `NOT_INTEGRATED` if nothing nested in it accepts
 * commands or if its kind differs from the kind that the caller stated. In these cases, nothing may be run.
 */
export async function enterNestedShell({ workspace, args, caller }: ActionCall): Promise<TargetTerminal> {
  const target = await workspace.target(args);
  const request = { as: args.within, timeoutMs: INTEGRATION_MS };
  try {
    const inner = await workspace.manager.integrate(target.id, request, { signal: caller.signal });
    checkKind(args.within, inner);
    return target;
  } catch (error) {
    if (!(error instanceof TerminalError) || error.code !== 'NOT_INTEGRATED' || error instanceof AdvisedError)
      throw error;
    throw new AdvisedError(error.code, `Nothing was run. ${problemOf(error)}`, adviceFor(error, target), error.details);
  }
}

/**
 * Checks the kind of a shell or REPL that was integrated earlier, because text meant for another kind must not run in
 * it.
 */
function checkKind(requested: Arguments['within'], { kind, within }: NestedShell): void {
  const isRepl = kind === 'python' || kind === 'node';
  if (requested === undefined || requested === 'auto' || requested === (isRepl ? kind : 'sh')) return;
  throw new AdvisedError(
    'NOT_INTEGRATED',
    `Nothing was run. The nested shell in command ${within} is ${kind}, not ${requested}.`,
    `"within":"${isRepl ? kind : 'sh'}", or "auto", runs a command in it.`,
  );
}

/** Returns a description of the problem that uses the tool's argument names. */
function problemOf({ message, details }: TerminalError): string {
  if (details['commandId'] === null) return 'No command is running in this terminal, so there is no nested shell.';
  return message.replace('`as`', '`within`');
}

function adviceFor({ details }: TerminalError, target: TargetTerminal): string {
  if (details['commandId'] === null) return 'Leave out "within" to run the command in the terminal\'s own shell.';
  const waiting = details['waiting'] as { readonly kind: string } | null | undefined;
  if (waiting?.kind === 'password') return passwordHint(target);
  return (
    'SCREEN shows the program, INPUT types into it. If it is a shell or REPL, name its kind in "within": sh, ' +
    'python, node.'
  );
}
