/** Checks which requests are refused, and how. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';
import type { RpcAnswer } from '../peer.js';
import { shellWords } from '../case-context.js';

const METHODS = ['terminal/output', 'terminal/wait_for_exit', 'terminal/kill'];
const UNKNOWN = 'acp-check-no-such-terminal';
const INVALID_PARAMS = -32602;
const NOT_FOUND = -32002;

function refused({ result, error }: RpcAnswer, what: string): void {
  demand(error !== undefined, `${what} was not rejected, but returned ${shortened(result)}`);
}

export const REFUSAL_CASES: readonly Case[] = [
  {
    name: 'unknown-id',
    rule: 'an unknown id is an error for output, wait_for_exit and kill',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      for (const method of METHODS) refused(await context.ask(method, { terminalId: UNKNOWN }), method);
    },
  },
  {
    name: 'unknown-id-clear',
    rule: 'the error for an unknown id contains the id, and a code that blames the caller (-32602 or -32002), not the client',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const { error } = await context.ask('terminal/output', { terminalId: UNKNOWN });
      const isTheirs = error?.code === INVALID_PARAMS || error?.code === NOT_FOUND;
      demand(isTheirs && JSON.stringify(error).includes(UNKNOWN), `the error was ${shortened(error)}`);
    },
  },
  {
    name: 'wrong-session-create',
    rule: 'no terminal is created for a session that does not exist',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const sessionId = 'acp-check-no-such-session';
      refused(await context.ask('terminal/create', { ...shellWords('true'), sessionId }), 'terminal/create');
    },
  },
  {
    name: 'wrong-session-use',
    rule: 'a terminal is not accessible from other sessions',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const { id: terminalId } = await context.shell('echo hello');
      const sessionId = 'acp-check-no-such-session';
      refused(await context.ask('terminal/output', { terminalId, sessionId }), 'terminal/output');
      refused(await context.ask('terminal/kill', { terminalId, sessionId }), 'terminal/kill');
    },
  },
  {
    name: 'params-without-command',
    rule: 'terminal/create without a command is rejected with -32602',
    level: 'SHOULD',
    source: SOURCE.rpc,
    async run(context) {
      const answer = await context.ask('terminal/create', { args: ['x'] });
      refused(answer, 'terminal/create without a command');
      demand(answer.error?.code === INVALID_PARAMS, `the error was ${shortened(answer.error)}`);
    },
  },
  {
    name: 'params-of-wrong-type',
    rule: 'args that are not a list of strings are rejected',
    level: 'SHOULD',
    source: SOURCE.schema,
    async run(context) {
      refused(await context.ask('terminal/create', { command: 'true', args: 'x' }), 'the args "x"');
      refused(await context.ask('terminal/create', { command: 'true', args: [1] }), 'the args [1]');
    },
  },
  {
    name: 'params-negative-limit',
    rule: 'a negative outputByteLimit is rejected',
    level: 'SHOULD',
    source: SOURCE.schema,
    async run(context) {
      refused(await context.ask('terminal/create', { ...shellWords('true'), outputByteLimit: -1 }), 'a limit of -1');
    },
  },
];
