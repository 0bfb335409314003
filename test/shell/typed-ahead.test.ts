/**
 * Tests text typed before a shell shows its prompt again: without a line editor, it is echoed before the prompt, and
 * what follows after that is output.
 */
import { execFileSync } from 'node:child_process';
import { readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModes } from '../../src/processes/input-kind.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { expectEnd, ShellAtWork, underTest } from './shell-at-work.js';

let at: ShellAtWork;
afterEach(async () => {
  await at.end();
  await stopEngines();
});

/** Starts a shell whose next prompt waits until `letPrompt` is called; both synchronize through a pipe. */
async function startSlow(): Promise<() => void> {
  at = new ShellAtWork(startEngine(), 'dash');
  const pipe = join(at.directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await at.start({ env: { PS1: `$(test -e ~/slow && read x <${pipe})$ ` } });
  await at.prompt();
  expectEnd(await at.exec('touch ~/slow'), 0);
  return () => writeFileSync(pipe, 'go\n');
}

describe('dash, before its prompt appears', () => {
  it.each([
    ['prints something else', 'rm ~/slow; echo ty""ped', 'typed'],
    ['prints its own text first', 'rm ~/slow; echo "rm ~/slow; ec"', 'rm ~/slow; ec'],
  ])('accepts a command that %s', async (_what, line, output) => {
    const letPrompt = await startSlow();
    await at.type(`${line}\r`);
    await at.shows(line);
    letPrompt();
    const record = await at.record(({ origin, state }) => origin === 'typed' && state === 'completed');
    expect(record).toMatchObject({ text: line, exitCode: 0 });
    expect((await at.collect(record.commandId)).output).toBe(output);
  });
});

describe('type-ahead while a terminal does not echo', () => {
  it.each(underTest(['bash', 'zsh', 'fish', 'dash']))(
    'removes nothing from the output of a command, in %s',
    async (name) => {
      at = new ShellAtWork(startEngine(), name);
      await at.start();
      const wait = 'while ! test -e go; do sleep 0.02; done';
      const begun = await at.begin(`sh -c 'stty -echo; echo rea""dy; ${wait}; echo abc'`, 'ready');
      await at.type('abc\r');
      // The engine also requests the modes when it sees the typed text. Answers arrive in order, so these come after
      // its own.
      const tty = readlinkSync(`/proc/${await at.pid()}/fd/0`);
      for (let asked = 0; asked < 2; asked++) expect(await readModes(tty)).toMatchObject({ isEchoing: false });
      at.put('../go', '');
      expectEnd(await at.collect(begun.commandId), 0, 'ready\nabc');
    },
  );
});

it.each(underTest(['bash', 'zsh', 'fish', 'dash']))(
  'is not part of the output of a command, even if it was read while the command was running, in %s',
  async (name) => {
    at = new ShellAtWork(startEngine(), name);
    await at.start();
    const begun = await at.begin('echo beg""un; while ! test -e go; do sleep 0.02; done', 'begun');
    await at.type('echo ah""ead\r');
    await at.shows('echo ah""ead');
    expect((await at.collect(begun.commandId, { timeoutMs: 0 })).output).toContain('ah""ead');
    at.put('../go', '');
    expectEnd(await at.collect(begun.commandId), 0, 'begun');
  },
);
