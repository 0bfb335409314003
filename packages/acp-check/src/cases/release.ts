/** Checks what `terminal/release` ends, and what happens to the id. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { problemWith, shortened } from '../answers.js';
import { TREE, TREE_SIZE } from './kill.js';

const OTHERS = ['terminal/output', 'terminal/wait_for_exit', 'terminal/kill'];

export const RELEASE_CASES: readonly Case[] = [
  {
    name: 'release-ends',
    rule: 'terminal/release ends the command if it is still running',
    level: 'MUST',
    source: SOURCE.release,
    async run(context) {
      const held = await context.shell('echo pid=$$; exec sleep 30');
      const pids = await held.pids();
      await held.release();
      await held.gone(pids, 'after terminal/release');
    },
  },
  {
    name: 'release-tree',
    rule: 'processes started by the command end with it',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.shell(TREE);
      const pids = await held.pids(TREE_SIZE);
      await held.release();
      await held.gone(pids, 'after terminal/release');
    },
  },
  {
    name: 'release-shape',
    rule: 'its result is an object without fields other than _meta',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const { result } = await (await context.shell('true')).ask('terminal/release');
      const problem = problemWith('terminal/release', result);
      demand(problem === undefined, problem ?? '');
    },
  },
  {
    name: 'release-ends-id',
    rule: 'after terminal/release, the id is invalid for the other methods',
    level: 'MUST',
    source: SOURCE.release,
    async run(context) {
      const held = await context.shell('echo hello');
      await held.wait();
      await held.release();
      for (const method of OTHERS) {
        const { result } = await held.ask(method);
        demand(result === undefined, `${method} returned ${shortened(result)}`);
      }
    },
  },
  {
    name: 'release-answers-wait',
    rule: 'a pending wait_for_exit returns when the terminal is released',
    level: 'SHOULD',
    source: SOURCE.release,
    async run(context) {
      const held = await context.shell('exec sleep 30');
      const waiting = held.begin('terminal/wait_for_exit');
      await held.release();
      await waiting.answer;
    },
  },
  {
    name: 'release-twice',
    rule: 'releasing twice is not an error',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.shell('true');
      await held.release();
      const { error } = await held.ask('terminal/release');
      demand(error === undefined, `the second response was ${shortened(error)}`);
    },
  },
  {
    name: 'release-spares-others',
    rule: 'other terminals keep running',
    level: 'MUST',
    source: SOURCE.release,
    async run(context) {
      const [other, held] = [await context.shell('sleep 1; echo went on'), await context.shell('sleep 30')];
      await held.release();
      const { text } = await other.finished();
      demand(text.includes('went on'), `the output of another was ${shortened(text)}`);
    },
  },
  {
    name: 'release-no-reuse',
    rule: 'a released id is not reused for another terminal',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.shell('true');
      await held.release();
      const ids = [(await context.shell('true')).id, (await context.shell('true')).id];
      demand(!ids.includes(held.id), `${shortened(held.id)} was reused`);
    },
  },
];
