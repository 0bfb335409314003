/**
 * Checks what `$/cancel_request` ends and what it does not. Clients may ignore it, but must respond to the cancelled
 * request.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { problemWith, shortened } from '../answers.js';
import type { RpcAnswer } from '../peer.js';
import { isRunning } from '../processes.js';
import { shellWords } from '../case-context.js';
import type { CaseContext } from '../case-context.js';

const CANCELLED = -32800;

function cancel(context: CaseContext, requestId: unknown): void {
  context.peer.notify('$/cancel_request', { requestId });
}

function isValid({ result, error }: RpcAnswer): boolean {
  return error?.code === CANCELLED || problemWith('terminal/wait_for_exit', result) === undefined;
}

export const CANCEL_CASES: readonly Case[] = [
  {
    name: 'cancel-answered',
    rule: 'a cancelled wait_for_exit returns a valid result or -32800, at the latest when the command ends',
    level: 'MUST',
    source: SOURCE.cancellation,
    async run(context) {
      const waiting = (await context.shell('sleep 1')).begin('terminal/wait_for_exit');
      cancel(context, waiting.id);
      const answer = await waiting.answer;
      demand(isValid(answer), `the response was ${shortened(answer)}`);
    },
  },
  {
    name: 'cancel-ends-wait',
    rule: 'a cancelled wait_for_exit returns while the command is still running',
    level: 'advice',
    source: SOURCE.cancellation,
    async run(context) {
      const held = await context.shell('echo pid=$$; exec sleep 4');
      const [pid] = await held.pids();
      const waiting = held.begin('terminal/wait_for_exit');
      cancel(context, waiting.id);
      await waiting.answer;
      demand(isRunning(pid!), 'it returned only after the command had ended');
    },
  },
  {
    name: 'cancel-spares-command',
    rule: 'cancelling wait_for_exit does not end the command, and its exit is still reported',
    level: 'SHOULD',
    source: SOURCE.cancellation,
    async run(context) {
      const held = await context.shell('echo begun; sleep 1; echo over; exit 3');
      await held.shows(/begun/);
      const waiting = held.begin('terminal/wait_for_exit');
      cancel(context, waiting.id);
      await waiting.answer;
      const exit = await held.wait();
      demand(exit.exitCode === 3, `exit 3 was reported as ${shortened(exit)}`);
      const { text } = await held.output();
      demand(text.includes('over'), `the output was ${shortened(text)}`);
    },
  },
  {
    name: 'cancel-one-wait',
    rule: 'of two pending wait_for_exit requests, only the cancelled one returns early',
    level: 'SHOULD',
    source: SOURCE.cancellation,
    async run(context) {
      const held = await context.shell('sleep 1; exit 3');
      const [one, other] = [held.begin('terminal/wait_for_exit'), held.begin('terminal/wait_for_exit')];
      cancel(context, one.id);
      const { result } = await other.answer;
      demand(
        (result as { exitCode?: unknown } | undefined)?.exitCode === 3,
        `the other request returned ${shortened(result)}`,
      );
      await one.answer;
    },
  },
  {
    name: 'cancel-create',
    rule: 'a cancelled terminal/create returns a terminal, or an error without leaving a command running',
    level: 'SHOULD',
    source: SOURCE.cancellation,
    async run(context) {
      const trace = join(context.environment.directory, 'pid-of-cancelled');
      const creating = context.begin('terminal/create', shellWords(`echo $$ > '${trace}'; exec sleep 30`));
      cancel(context, creating.id);
      const { result, error } = await creating.answer;
      if (error === undefined) return void context.hold((result as { terminalId?: unknown } | undefined)?.terminalId);
      await (await context.shell('sleep 0.5')).wait();
      const pid = existsSync(trace) ? Number(readFileSync(trace, 'utf8')) : 0;
      await context.until(
        () => pid === 0 || !isRunning(pid),
        () => `it returned an error, but its command kept running as process ${pid}`,
      );
    },
  },
  {
    name: 'cancel-unknown',
    rule: 'cancelling an unknown request is ignored',
    level: 'SHOULD',
    source: SOURCE.cancellation,
    async run(context) {
      for (const id of ['never-asked', 999_999, null]) cancel(context, id);
      const text = await context.print('echo hello');
      demand(text.includes('hello'), `afterwards, the output of a command was ${shortened(text)}`);
    },
  },
];
