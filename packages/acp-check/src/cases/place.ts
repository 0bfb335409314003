/** The directory and the environment variables with which a command runs. */
import { mkdirSync, realpathSync, writeFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { demand, NotApplicable } from '../breach.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';
import { clientDirectory } from '../processes.js';
import { shellWords } from '../stage.js';
import type { Stage } from '../stage.js';

/** `printf` prints them between brackets, so that loss at the ends is visible. */
const VALUES = { CHECK_PLAIN: 'a=b=c', CHECK_SPACES: '  two  words ', CHECK_EMPTY: '', CHECK_WIDE: 'ünï©ode 🙂' };

function madeDirectory(stage: Stage, name: string): string {
  const path = join(stage.around.directory, name);
  mkdirSync(path, { recursive: true });
  return realpathSync(path);
}

export const PLACE_CASES: readonly Case[] = [
  {
    name: 'cwd-given',
    rule: 'the command runs in the given cwd',
    level: 'MUST',
    source: SOURCE.create,
    async run(stage) {
      const cwd = madeDirectory(stage, 'a place; $HOME');
      const text = await stage.print('pwd -P', { cwd });
      demand(text.trim() === cwd, `in ${shortened(cwd)}, pwd printed ${shortened(text)}`);
    },
  },
  {
    name: 'cwd-default',
    rule: 'without a cwd the command runs in the session’s directory, not in the client’s',
    level: 'advice',
    source: SOURCE.silent,
    async run(stage) {
      const { sessionDirectory } = stage.around;
      const expected = realpathSync(sessionDirectory);
      const text = await stage.print('pwd -P');
      demand(text.trim() === expected, `the session is in ${shortened(expected)}, pwd printed ${shortened(text)}`);
      if (clientDirectory() === expected) throw new NotApplicable('the client itself runs in the session’s directory');
    },
  },
  {
    name: 'cwd-relative',
    rule: 'a relative cwd is refused, not guessed about',
    level: 'advice',
    source: SOURCE.schema,
    async run(stage) {
      const { error } = await stage.ask('terminal/create', { ...shellWords('true'), cwd: '.' });
      demand(error !== undefined, 'a terminal was made for the cwd "."');
    },
  },
  {
    name: 'cwd-missing',
    rule: 'where cwd does not exist, the command does not run elsewhere',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(stage) {
      const trace = join(stage.around.directory, 'ran-elsewhere');
      const cwd = join(stage.around.directory, 'no such directory');
      const { result } = await stage.ask('terminal/create', { ...shellWords(`: > '${trace}'`), cwd });
      if (result) await stage.hold((result as { terminalId?: unknown }).terminalId).wait();
      demand(!existsSync(trace), `it ran, though there is no ${basename(cwd)}`);
    },
  },
  {
    name: 'cwd-file',
    rule: 'a cwd that is a file is told: by an error, or by an exit code other than 0',
    level: 'advice',
    source: SOURCE.silent,
    async run(stage) {
      const cwd = join(stage.around.directory, 'a-file');
      writeFileSync(cwd, '');
      const { result, error } = await stage.ask('terminal/create', { ...shellWords('true'), cwd });
      if (error !== undefined) return;
      const exit = await stage.hold((result as { terminalId?: unknown }).terminalId).wait();
      demand(exit.exitCode !== 0, `it ended as ${shortened(exit)}`);
    },
  },
  {
    name: 'env-given',
    rule: 'the variables of env reach the command as they are',
    level: 'MUST',
    source: SOURCE.create,
    async run(stage) {
      const env = Object.entries(VALUES).map(([name, value]) => ({ name, value }));
      const script = Object.keys(VALUES).map((name) => `printf '<%s>\\n' "$${name}"; `);
      const text = await stage.print(`${script.join('')} echo "\${CHECK_EMPTY-unset}"`, { env });
      const expected = [...Object.values(VALUES).map((value) => `<${value}>`), '', ''].join('\n');
      demand(text.endsWith(expected), `instead of ${shortened(expected)} came ${shortened(text)}`);
    },
  },
  {
    name: 'env-merged',
    rule: 'the variables of env are added to those of the client, which stay',
    level: 'advice',
    source: SOURCE.silent,
    async run(stage) {
      const text = await stage.print('env', { env: [{ name: 'CHECK_ONE', value: '1' }] });
      const names = [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
      demand(names.includes('CHECK_ONE'), `env printed ${shortened(text)}`);
      const own = process.env['HOME'] === undefined ? ['PATH'] : ['PATH', 'HOME'];
      demand(
        own.every((name) => names.includes(name)),
        `of ${own.join(', ')} not all are there, but ${names.join(' ')}`,
      );
    },
  },
  {
    name: 'env-wins',
    rule: 'a variable of env counts more than the client’s own',
    level: 'MUST',
    source: SOURCE.create,
    async run(stage) {
      const text = await stage.print('echo "<$HOME>"', { env: [{ name: 'HOME', value: '/nowhere' }] });
      demand(text.trim() === '</nowhere>', `with HOME=/nowhere given, it was ${shortened(text)}`);
    },
  },
];
