/** Checks the directory and the environment variables of a command. */
import { mkdirSync, realpathSync, writeFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { demand, NotApplicable } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';
import { clientDirectory } from '../processes.js';
import { shellWords } from '../case-context.js';
import type { CaseContext } from '../case-context.js';

/** Printed by `printf` between brackets, so that missing characters at the ends are visible. */
const VALUES = { CHECK_PLAIN: 'a=b=c', CHECK_SPACES: '  two  words ', CHECK_EMPTY: '', CHECK_WIDE: 'ünï©ode 🙂' };

function madeDirectory(context: CaseContext, name: string): string {
  const path = join(context.environment.directory, name);
  mkdirSync(path, { recursive: true });
  return realpathSync(path);
}

export const PLACE_CASES: readonly Case[] = [
  {
    name: 'cwd-given',
    rule: 'the command runs in the given cwd',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const cwd = madeDirectory(context, 'a place; $HOME');
      const text = await context.print('pwd -P', { cwd });
      demand(text.trim() === cwd, `in ${shortened(cwd)}, pwd printed ${shortened(text)}`);
    },
  },
  {
    name: 'cwd-default',
    rule: 'without a cwd the command runs in the session’s directory, not in the client’s',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const { sessionDirectory } = context.environment;
      const expected = realpathSync(sessionDirectory);
      const text = await context.print('pwd -P');
      demand(text.trim() === expected, `the session is in ${shortened(expected)}, but pwd printed ${shortened(text)}`);
      if (clientDirectory() === expected) throw new NotApplicable('the client itself runs in the session’s directory');
    },
  },
  {
    name: 'cwd-relative',
    rule: 'a relative cwd is rejected',
    level: 'advice',
    source: SOURCE.schema,
    async run(context) {
      const { error } = await context.ask('terminal/create', { ...shellWords('true'), cwd: '.' });
      demand(error !== undefined, 'a terminal was created for the cwd "."');
    },
  },
  {
    name: 'cwd-missing',
    rule: 'if cwd does not exist, the command does not run in another directory',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(context) {
      const trace = join(context.environment.directory, 'ran-elsewhere');
      const cwd = join(context.environment.directory, 'no such directory');
      const { result } = await context.ask('terminal/create', { ...shellWords(`: > '${trace}'`), cwd });
      if (result) await context.hold((result as { terminalId?: unknown }).terminalId).wait();
      demand(!existsSync(trace), `it ran, although ${basename(cwd)} does not exist`);
    },
  },
  {
    name: 'cwd-file',
    rule: 'a cwd that is a file is reported by an error or a nonzero exit code',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const cwd = join(context.environment.directory, 'a-file');
      writeFileSync(cwd, '');
      const { result, error } = await context.ask('terminal/create', { ...shellWords('true'), cwd });
      if (error !== undefined) return;
      const exit = await context.hold((result as { terminalId?: unknown }).terminalId).wait();
      demand(exit.exitCode !== 0, `its exit was ${shortened(exit)}`);
    },
  },
  {
    name: 'env-given',
    rule: 'the variables of env reach the command unchanged',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const env = Object.entries(VALUES).map(([name, value]) => ({ name, value }));
      const script = Object.keys(VALUES).map((name) => `printf '<%s>\\n' "$${name}"; `);
      const text = await context.print(`${script.join('')} echo "\${CHECK_EMPTY-unset}"`, { env });
      const expected = [...Object.values(VALUES).map((value) => `<${value}>`), '', ''].join('\n');
      demand(text.endsWith(expected), `expected ${shortened(expected)}, got ${shortened(text)}`);
    },
  },
  {
    name: 'env-merged',
    rule: 'the variables of env are added to those of the client',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const text = await context.print('env', { env: [{ name: 'CHECK_ONE', value: '1' }] });
      const names = [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
      demand(names.includes('CHECK_ONE'), `env printed ${shortened(text)}`);
      const own = process.env['HOME'] === undefined ? ['PATH'] : ['PATH', 'HOME'];
      demand(
        own.every((name) => names.includes(name)),
        `expected all of ${own.join(', ')}, got ${names.join(' ')}`,
      );
    },
  },
  {
    name: 'env-wins',
    rule: 'a variable of env takes precedence over the client’s own',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const text = await context.print('echo "<$HOME>"', { env: [{ name: 'HOME', value: '/nowhere' }] });
      demand(text.trim() === '</nowhere>', `with HOME=/nowhere given, it was ${shortened(text)}`);
    },
  },
];
