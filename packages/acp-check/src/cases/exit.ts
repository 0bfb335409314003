/** Checks what `terminal/wait_for_exit` returns, and when. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { problemWith, shortened } from '../answers.js';

const CODES = [0, 1, 7, 126, 255];

export const EXIT_CASES: readonly Case[] = [
  {
    name: 'exit-code',
    rule: 'the exit code is the exit code of the command, and signal is not set',
    level: 'MUST',
    source: SOURCE.exit,
    async run(context) {
      const seen = await Promise.all(CODES.map(async (code) => (await context.shell(`exit ${code}`)).wait()));
      const wrong = CODES.findIndex((code, index) => seen[index]!.exitCode !== code || seen[index]!.signal !== null);
      demand(wrong < 0, `exit ${CODES[wrong]} was reported as ${shortened(seen[wrong])}`);
    },
  },
  {
    name: 'exit-shape',
    rule: 'its result is flat, with exactly the fields of the schema',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const answer = await (await context.shell('exit 3')).get('terminal/wait_for_exit');
      const problem = problemWith('terminal/wait_for_exit', answer);
      demand(problem === undefined, problem ?? '');
    },
  },
  {
    name: 'exit-signal',
    rule: 'a command ended by a signal is reported with the name of the signal, such as SIGTERM',
    level: 'SHOULD',
    source: SOURCE.exit,
    async run(context) {
      const exit = await (await context.shell('kill -TERM $$')).wait();
      demand(exit.signal === 'SIGTERM', `an exit by SIGTERM was reported as ${shortened(exit)}`);
    },
  },
  {
    name: 'exit-signal-shape',
    rule: 'the exit code of a command ended by a signal is not negative: it is unsigned, or null',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const answer = await (await context.shell('kill -KILL $$')).get('terminal/wait_for_exit');
      const problem = problemWith('terminal/wait_for_exit', answer);
      demand(problem === undefined, problem ?? '');
    },
  },
  {
    name: 'exit-told-late',
    rule: 'wait_for_exit for an ended command returns at once, every time',
    level: 'MUST',
    source: SOURCE.exit,
    async run(context) {
      const held = await context.shell('exit 4');
      const seen = [await held.wait(), await held.wait()];
      demand(
        seen.every(({ exitCode }) => exitCode === 4),
        `exit 4 was reported as ${shortened(seen)}`,
      );
    },
  },
  {
    name: 'exit-told-to-all',
    rule: 'several concurrent wait_for_exit requests all return',
    level: 'SHOULD',
    source: SOURCE.exit,
    async run(context) {
      const held = await context.shell('sleep 0.3; exit 5');
      const seen = await Promise.all([held.wait(), held.wait(), held.wait()]);
      demand(
        seen.every(({ exitCode }) => exitCode === 5),
        `exit 5 was reported as ${shortened(seen)}`,
      );
    },
  },
  {
    name: 'exit-holds-up-nobody',
    rule: 'while one request waits for an exit, other requests return',
    level: 'MUST',
    source: SOURCE.timeout,
    async run(context) {
      const held = await context.shell('sleep 3');
      const waiting = held.begin('terminal/wait_for_exit');
      const { exit } = await held.output();
      demand(exit === undefined, 'terminal/output returned only after the command had ended');
      await held.kill();
      await waiting.answer;
    },
  },
  {
    name: 'exit-agrees',
    rule: 'terminal/output reports the same exit as terminal/wait_for_exit',
    level: 'MUST',
    source: SOURCE.output,
    async run(context) {
      const held = await context.shell('exit 6');
      const waited = await held.wait();
      const { exit } = await held.output();
      demand(JSON.stringify(exit) === JSON.stringify(waited), `${shortened(waited)} and ${shortened(exit)}`);
    },
  },
  {
    name: 'exit-background',
    rule: 'a background child that keeps the terminal open does not delay the response',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const trace = join(context.environment.directory, 'background-is-over');
      const held = await context.shell(`(sleep 10; : > '${trace}') & echo hello`);
      const { text } = await held.finished();
      demand(!existsSync(trace), 'it returned only after the child had ended');
      demand(text.includes('hello'), `the output was ${shortened(text)}`);
    },
  },
];
