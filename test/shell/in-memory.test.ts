/** Tests that a terminal whose history is in memory writes nothing to disk of what is run or typed in it. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { expectEnd, ShellAtWork, underTest } from './shell-at-work.js';
import type { ShellName } from './shell-at-work.js';
import { whereLinux } from '../where.js';

const { it: itOnLinux } = whereLinux();
const SECRET = 'swordfish';

let at: ShellAtWork;
afterEach(async () => {
  await at.end();
  await stopEngines();
});

/** Returns the contents of the directory of a terminal's shell: texts of files, and targets of links. */
async function onDisk(): Promise<readonly string[]> {
  const pid = await at.pid();
  const start = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join('\0');
  const directory = dirname(/(?<=[\0'=])\/[^\0'=]*\/(?:start|tenacitty\.fish)(?=[\0'])/.exec(start)![0]);
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => !lstatSync(path).isDirectory())
    .map((path) => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8')));
}

async function expectNothing(): Promise<void> {
  const texts = await onDisk();
  expect(texts.length).toBeGreaterThan(1);
  expect(texts.join('\n')).not.toContain(SECRET);
}

describe('a terminal with its history in memory', () => {
  itOnLinux.each(underTest(['bash', 'dash', 'fish'] as readonly ShellName[]))(
    'has no command on disk: %s',
    async (name) => {
      at = new ShellAtWork(startEngine(), name);
      await at.start({ history: 'memory' });
      const running = await at.begin(`echo ${SECRET} | tr a-z A-Z\ncat\nsh -c 'exit 3'`, SECRET.toUpperCase());
      await expectNothing();
      await at.type('\x04');
      expectEnd(await at.collect(running.commandId, { untilInput: false }), 3, SECRET.toUpperCase());
      await at.prompt();
      await at.type(`echo typed ${SECRET}\r`);
      const typed = await at.record(({ ended, origin }) => ended !== null && origin === 'typed');
      expect(typed).toMatchObject({ text: `echo typed ${SECRET}`, exitCode: 0 });
      await expectNothing();
    },
  );

  itOnLinux('has none on disk in a nested shell', async () => {
    at = new ShellAtWork(startEngine(), 'bash');
    await at.start({ history: 'memory' });
    await at.exec('bash --norc', { detach: true });
    await at.manager.integrate(at.id, { timeoutMs: 20_000 });
    await at.begin(`echo ${SECRET} | tr a-z A-Z; cat`, SECRET.toUpperCase());
    await expectNothing();
  });
});
