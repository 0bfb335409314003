/** Terminals within tool calls. What the client displays cannot be observed here, but errors can. */
import { randomUUID } from 'node:crypto';
import { demand } from '../breach.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';
import type { Stage } from '../stage.js';

interface Call {
  update(update: object): void;
  /** Whether the client still works and has not answered notifications. */
  isTakenWell(): Promise<void>;
}

/** Returns a tool call that shows a terminal. */
function callWith(stage: Stage, terminalId: string): Call {
  const toolCallId = `check-${randomUUID()}`;
  const before = stage.peer.faults.length;
  const send = (update: object) =>
    stage.peer.notify('session/update', { sessionId: stage.around.sessionId, update: { toolCallId, ...update } });
  const content = [{ type: 'terminal', terminalId }];
  send({ sessionUpdate: 'tool_call', title: 'check', kind: 'execute', status: 'in_progress', content });
  return {
    update: (update) => send({ sessionUpdate: 'tool_call_update', ...update }),
    isTakenWell: () => isWell(stage, before),
  };
}

async function isWell(stage: Stage, before: number): Promise<void> {
  const text = await stage.print('echo hello');
  demand(text.includes('hello'), `afterwards, the output of a command was ${shortened(text)}`);
  const fault = stage.peer.faults.slice(before).find(({ kind }) => kind === 'answer');
  demand(fault === undefined, `the notification was answered: ${fault?.seen}`);
}

export const EMBED_CASES: readonly Case[] = [
  {
    name: 'embed-own',
    rule: 'a tool call can embed a running terminal',
    level: 'MUST',
    source: SOURCE.embed,
    async run(stage) {
      const held = await stage.shell('echo shown; sleep 0.2');
      const call = callWith(stage, held.id);
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
    async run(stage) {
      const held = await stage.shell('echo shown');
      const call = callWith(stage, held.id);
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
    async run(stage) {
      const call = callWith(stage, 'acp-check-not-of-this-client');
      call.update({ _meta: { terminal_output: { terminal_id: 'acp-check-not-of-this-client', data: 'hello' } } });
      call.update({ status: 'completed' });
      await call.isTakenWell();
    },
  },
];
