/** Checks terminals within tool calls. What the client displays cannot be observed here, but errors can. */
import { randomUUID } from 'node:crypto';
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';
import type { CaseContext } from '../case-context.js';

interface Call {
  update(update: object): void;
  /** Checks that the client still works and has not responded to the notifications. */
  isTakenWell(): Promise<void>;
}

/** Returns a tool call that shows a terminal. */
function callWith(context: CaseContext, terminalId: string): Call {
  const toolCallId = `check-${randomUUID()}`;
  const before = context.peer.faults.length;
  const send = (update: object) =>
    context.peer.notify('session/update', {
      sessionId: context.environment.sessionId,
      update: { toolCallId, ...update },
    });
  const content = [{ type: 'terminal', terminalId }];
  send({ sessionUpdate: 'tool_call', title: 'check', kind: 'execute', status: 'in_progress', content });
  return {
    update: (update) => send({ sessionUpdate: 'tool_call_update', ...update }),
    isTakenWell: () => isWell(context, before),
  };
}

async function isWell(context: CaseContext, before: number): Promise<void> {
  const text = await context.print('echo hello');
  demand(text.includes('hello'), `afterwards, the output of a command was ${shortened(text)}`);
  const fault = context.peer.faults.slice(before).find(({ kind }) => kind === 'answer');
  demand(fault === undefined, `the notification got a response: ${fault?.seen}`);
}

export const EMBED_CASES: readonly Case[] = [
  {
    name: 'embed-own',
    rule: 'a tool call can embed a running terminal',
    level: 'MUST',
    source: SOURCE.embed,
    async run(context) {
      const held = await context.shell('echo shown; sleep 0.2');
      const call = callWith(context, held.id);
      const { text } = await held.finished();
      demand(text.includes('shown'), `the output was ${shortened(text)}`);
      call.update({ status: 'completed' });
      await call.isTakenWell();
    },
  },
  {
    name: 'embed-released',
    rule: 'an embedded terminal can be released, and be referenced again afterwards, as agents do',
    level: 'SHOULD',
    source: SOURCE.embed,
    async run(context) {
      const held = await context.shell('echo shown');
      const call = callWith(context, held.id);
      await held.wait();
      await held.release();
      call.update({ status: 'completed', content: [{ type: 'terminal', terminalId: held.id }] });
      await call.isTakenWell();
    },
  },
  {
    name: 'embed-unknown',
    rule: 'embedding a terminal that the client did not create is harmless; agents embed their own',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const call = callWith(context, 'acp-check-not-of-this-client');
      call.update({ _meta: { terminal_output: { terminal_id: 'acp-check-not-of-this-client', data: 'hello' } } });
      call.update({ status: 'completed' });
      await call.isTakenWell();
    },
  },
];
