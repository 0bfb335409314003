/** Requests approval to run something. The caller waits for the response. */
import { abortable } from '../../abortable.js';
import type { AskForApproval, CommandRequest } from './command-policy.js';
import { commandText, denied } from './denial.js';
import type { Evaluation } from './policy-evaluator.js';

/**
 * Resolves when the command has been approved.
 *
 * @throws `COMMAND_DENIED` if approval was refused, if the request for approval failed, or if no approver is available;
 * the reason of `signal` if it aborts first.
 */
export async function approvalFrom(
  ask: AskForApproval | undefined,
  request: CommandRequest,
  evaluation: Evaluation,
  signal: AbortSignal = new AbortController().signal,
  place?: string,
): Promise<void> {
  if (ask === undefined) throw denied(request, evaluation, place, hintWithout(place));
  const { door, cwd, env } = request;
  const reason = [evaluation.rule, evaluation.reason].filter(Boolean).join(': ');
  const asked = { door, command: commandText(request), cwd, env, reason };
  const isAllowed = await abortable(
    answerTo(() => ask(asked, signal)),
    signal,
  );
  if (isAllowed === true) return;
  if (isAllowed === null)
    throw denied(request, { ...evaluation, reason: 'no approver is available' }, place, hintWithout(place));
  const why = isAllowed === false ? 'approval was refused' : 'the request for approval failed';
  throw denied(request, { ...evaluation, reason: why }, place);
}

type Answer = boolean | null | 'failed';

/** Resolves to the response, or to `failed` if the request for approval failed or returned an invalid response. */
async function answerTo(ask: () => Promise<boolean | null>): Promise<Answer> {
  try {
    const value: unknown = await ask();
    return typeof value === 'boolean' || value === null ? value : 'failed';
  } catch {
    return 'failed';
  }
}

function hintWithout(place = 'the policy'): string {
  return (
    'This needs approval, and no approver is available here. To allow it, the user can change its rule in ' +
    `${place}: move it from \`ask\` to \`allow\`.`
  );
}
