/** What `terminal/wait_for_exit` answers, and when. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { demand } from '../breach.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { problemWith, shortened } from '../answers.js';

const CODES = [0, 1, 7, 126, 255];

export const EXIT_CASES: readonly Case[] = [
  {
    name: 'exit-code',
    rule: 'the exit code is the command’s, and no signal is told of',
    level: 'MUST',
    source: SOURCE.exit,
    async run(stage) {
      const seen = await Promise.all(CODES.map(async (code) => (await stage.shell(`exit ${code}`)).wait()));
      const wrong = CODES.findIndex((code, index) => seen[index]!.exitCode !== code || seen[index]!.signal !== null);
      demand(wrong < 0, `exit ${CODES[wrong]} was told as ${shortened(seen[wrong])}`);
    },
  },
  {
    name: 'exit-shape',
    rule: 'its answer is flat, with the fields of the schema and no others',
    level: 'MUST',
    source: SOURCE.schema,
    async run(stage) {
      const answer = await (await stage.shell('exit 3')).get('terminal/wait_for_exit');
      const problem = problemWith('terminal/wait_for_exit', answer);
      demand(problem === undefined, problem ?? '');
    },
  },
  {
    name: 'exit-signal',
    rule: 'a command that ends by a signal is told with the signal’s name, as SIGTERM',
    level: 'SHOULD',
    source: SOURCE.exit,
    async run(stage) {
      const exit = await (await stage.shell('kill -TERM $$')).wait();
      demand(exit.signal === 'SIGTERM', `ended by SIGTERM, it was told as ${shortened(exit)}`);
    },
  },
  {
    name: 'exit-signal-shape',
    rule: 'a command that ends by a signal has no negative exit code: it is unsigned, or null',
    level: 'MUST',
    source: SOURCE.schema,
    async run(stage) {
      const answer = await (await stage.shell('kill -KILL $$')).get('terminal/wait_for_exit');
      const problem = problemWith('terminal/wait_for_exit', answer);
      demand(problem === undefined, problem ?? '');
    },
  },
  {
    name: 'exit-told-late',
    rule: 'who waits for a command that has ended is answered at once, each time',
    level: 'MUST',
    source: SOURCE.exit,
    async run(stage) {
      const held = await stage.shell('exit 4');
      const seen = [await held.wait(), await held.wait()];
      demand(
        seen.every(({ exitCode }) => exitCode === 4),
        `exit 4 was told as ${shortened(seen)}`,
      );
    },
  },
  {
    name: 'exit-told-to-all',
    rule: 'of several who wait, each is answered',
    level: 'SHOULD',
    source: SOURCE.exit,
    async run(stage) {
      const held = await stage.shell('sleep 0.3; exit 5');
      const seen = await Promise.all([held.wait(), held.wait(), held.wait()]);
      demand(
        seen.every(({ exitCode }) => exitCode === 5),
        `exit 5 was told as ${shortened(seen)}`,
      );
    },
  },
  {
    name: 'exit-holds-up-nobody',
    rule: 'while one request waits for an exit, others are answered',
    level: 'MUST',
    source: SOURCE.timeout,
    async run(stage) {
      const held = await stage.shell('sleep 3');
      const waiting = held.begin('terminal/wait_for_exit');
      const { exit } = await held.output();
      demand(exit === undefined, 'terminal/output was answered only when the command had ended');
      await held.kill();
      await waiting.answer;
    },
  },
  {
    name: 'exit-agrees',
    rule: 'terminal/output tells of the same end as terminal/wait_for_exit',
    level: 'MUST',
    source: SOURCE.output,
    async run(stage) {
      const held = await stage.shell('exit 6');
      const waited = await held.wait();
      const { exit } = await held.output();
      demand(JSON.stringify(exit) === JSON.stringify(waited), `${shortened(waited)} and ${shortened(exit)}`);
    },
  },
  {
    name: 'exit-background',
    rule: 'a child that goes on in the background, with the terminal in its hands, holds up no answer',
    level: 'advice',
    source: SOURCE.silent,
    async run(stage) {
      const trace = join(stage.around.directory, 'background-is-over');
      const held = await stage.shell(`(sleep 6; : > '${trace}') & echo hello`);
      const { text } = await held.finished();
      demand(!existsSync(trace), 'it was answered only when the child had ended');
      demand(text.includes('hello'), `the output was ${shortened(text)}`);
    },
  },
];
