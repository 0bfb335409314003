/** Checks what `terminal/kill` ends, and what remains. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { problemWith, shortened } from '../answers.js';

const LONG = 'echo pid=$$; exec sleep 30';
/** A shell with a child that has a child of its own. */
export const TREE = "sh -c 'echo pid=$$; sleep 30 & echo pid=$!; wait' & echo pid=$$; wait";
export const TREE_SIZE = 3;
/** A shell that, like its children, ignores the signals. */
export const DEAF = "trap '' TERM HUP INT; echo pid=$$; while :; do sleep 1; done";

export const KILL_CASES: readonly Case[] = [
  {
    name: 'kill-ends',
    rule: 'terminal/kill ends the command',
    level: 'MUST',
    source: SOURCE.kill,
    async run(context) {
      const held = await context.shell(LONG);
      const pids = await held.pids();
      await held.kill();
      await held.gone(pids, 'after terminal/kill');
    },
  },
  {
    name: 'kill-shape',
    rule: 'its result is an object without fields other than _meta',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const { result } = await (await context.shell('sleep 30')).ask('terminal/kill');
      const problem = problemWith('terminal/kill', result);
      demand(problem === undefined, problem ?? '');
    },
  },
  {
    name: 'kill-keeps-output',
    rule: 'after terminal/kill, the output can still be read, with the exit status',
    level: 'MUST',
    source: SOURCE.kill,
    async run(context) {
      const held = await context.shell('echo said before; exec sleep 30');
      await held.shows(/said before/);
      await held.kill();
      const { text, exit } = await held.finished();
      demand(text.includes('said before'), `the output was ${shortened(text)}`);
      demand(exit !== undefined, 'exitStatus was missing');
    },
  },
  {
    name: 'kill-keeps-exit',
    rule: 'after terminal/kill, wait_for_exit still works',
    level: 'MUST',
    source: SOURCE.kill,
    async run(context) {
      const held = await context.shell('exec sleep 30');
      await held.kill();
      const exit = await held.wait();
      demand(exit.exitCode !== 0, `it was reported as ${shortened(exit)}`);
    },
  },
  {
    name: 'kill-answers-wait',
    rule: 'a pending wait_for_exit returns when the command is killed',
    level: 'MUST',
    source: SOURCE.exit,
    async run(context) {
      const held = await context.shell('exec sleep 30');
      const waiting = held.begin('terminal/wait_for_exit');
      await held.kill();
      const { error } = await waiting.answer;
      demand(error === undefined, `the response was ${shortened(error)}`);
    },
  },
  {
    name: 'kill-tree',
    rule: 'processes started by the command end with it',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.shell(TREE);
      const pids = await held.pids(TREE_SIZE);
      await held.kill();
      await held.gone(pids, 'after terminal/kill');
    },
  },
  {
    name: 'kill-escalates',
    rule: 'a command that ignores SIGTERM is ended too',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.shell(DEAF);
      const pids = await held.pids();
      await held.kill();
      await held.gone(pids, 'after terminal/kill');
    },
  },
  {
    name: 'kill-too-late',
    rule: 'killing an ended command is not an error, and changes nothing',
    level: 'SHOULD',
    source: SOURCE.timeout,
    async run(context) {
      const held = await context.shell('exit 9');
      await held.wait();
      const { error } = await held.ask('terminal/kill');
      demand(error === undefined, `the response was ${shortened(error)}`);
      const { exit } = await held.output();
      demand(exit?.exitCode === 9, `afterwards, exit 9 was reported as ${shortened(exit)}`);
    },
  },
  {
    name: 'kill-twice',
    rule: 'killing twice is not an error',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.shell('exec sleep 30');
      const answers = await Promise.all([held.ask('terminal/kill'), held.ask('terminal/kill')]);
      answers.push(await held.ask('terminal/kill'));
      const failed = answers.find(({ error }) => error !== undefined);
      demand(failed === undefined, `a response was ${shortened(failed?.error)}`);
    },
  },
  {
    name: 'kill-at-time-limit',
    rule: 'the timeout recipe of the protocol works: wait, kill, output, release',
    level: 'MUST',
    source: SOURCE.timeout,
    async run(context) {
      const held = await context.shell('echo partly done; exec sleep 30');
      const waiting = held.begin('terminal/wait_for_exit');
      await held.shows(/partly done/);
      await held.kill();
      const { text } = await held.output();
      demand(text.includes('partly done'), `the output was ${shortened(text)}`);
      await held.release();
      await waiting.answer;
    },
  },
];
