/** Checks the wire format: rules for every message, whatever its content. These cases examine the whole connection. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { problemWith, shortened } from '../answers.js';
import type { WireFault } from '../peer.js';
import { shellWords } from '../case-context.js';
import type { CaseContext } from '../case-context.js';

const METHOD_NOT_FOUND = -32601;

/** Sends one request of each kind, so that there are messages to examine even if no other case runs. */
async function exchange(context: CaseContext): Promise<void> {
  const held = await context.shell('echo hello');
  await held.finished();
  await held.kill();
  await held.release();
  await held.ask('terminal/output');
}

async function noFault(context: CaseContext, kind: WireFault['kind'], what: string): Promise<void> {
  await exchange(context);
  const fault = context.peer.faults.find((known) => known.kind === kind);
  demand(fault === undefined, `${what}: ${fault?.seen}`);
}

export const WIRE_CASES: readonly Case[] = [
  {
    name: 'wire-capability',
    rule: 'a client with terminals advertises support for them: clientCapabilities.terminal is true',
    level: 'MUST',
    source: SOURCE.support,
    async run({ environment }) {
      const { terminal } = environment.capabilities;
      demand(terminal === true, `it is ${shortened(terminal)}`);
    },
  },
  {
    name: 'wire-lines',
    rule: 'each line from the client is one message',
    level: 'MUST',
    source: SOURCE.transport,
    run: (context) => noFault(context, 'line', 'a line was not a message'),
  },
  {
    name: 'wire-version',
    rule: 'each message contains "jsonrpc": "2.0"',
    level: 'MUST',
    source: SOURCE.rpc,
    run: (context) => noFault(context, 'version', 'a message did not contain it'),
  },
  {
    name: 'wire-answers',
    rule: 'each request gets one response, with either a result or an error',
    level: 'MUST',
    source: SOURCE.rpc,
    run: (context) =>
      noFault(
        context,
        'answer',
        'a response belonged to no request, was a duplicate, or did not have exactly one of result and error',
      ),
  },
  {
    name: 'wire-errors',
    rule: 'each error has an integer code and a message',
    level: 'MUST',
    source: SOURCE.rpc,
    run: (context) => noFault(context, 'error', 'an error lacked one of them'),
  },
  {
    name: 'wire-create-shape',
    rule: 'the result of terminal/create has exactly the fields of the schema',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const result = await context.get('terminal/create', shellWords('true'));
      context.hold(result['terminalId']);
      const problem = problemWith('terminal/create', result);
      demand(problem === undefined, problem ?? '');
    },
  },
  {
    name: 'wire-text-id',
    rule: 'the response to a request with a string id has the same id',
    level: 'MUST',
    source: SOURCE.rpc,
    async run(context) {
      const held = await context.shell('true');
      await context.begin('terminal/output', { terminalId: held.id }, 'text ünd more').answer;
    },
  },
  {
    name: 'wire-unknown-method',
    rule: 'a request with an unknown method gets the error -32601',
    level: 'SHOULD',
    source: SOURCE.extensibility,
    async run(context) {
      const { result, error } = await context.ask('_acp-check.example/nothing');
      demand(error?.code === METHOD_NOT_FOUND, `the response was ${shortened(error ?? result)}`);
    },
  },
  {
    name: 'wire-unknown-notification',
    rule: 'an unknown notification is ignored',
    level: 'SHOULD',
    source: SOURCE.extensibility,
    async run(context) {
      const before = context.peer.faults.length;
      context.peer.notify('_acp-check.example/happened', { deep: [{}] });
      const text = await context.print('echo hello');
      demand(text.includes('hello'), `afterwards, the output of a command was ${shortened(text)}`);
      const fault = context.peer.faults.slice(before)[0];
      demand(fault === undefined, `there was a response: ${fault?.seen}`);
    },
  },
];
