/** Tests that a command is judged for its shell's current directory, and typed only there, whatever ends in between. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import { policed } from '../../src/access/policy/policed-manager.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { MANAGERS, readUntilText, stopEngines } from '../engine/engine-under-test.js';

afterEach(stopEngines);

let outside: string;
let inside: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-place-')));
  inside = join(outside, 'inside');
  mkdirSync(join(inside, 'sub'), { recursive: true });
});

/** A shell with shell integration, with start files from the test. */
const bash = () => ({ shell: '/bin/bash', env: { HOME: outside } });
const underPolicy = (manager: TerminalManager) =>
  policed(manager, createCommandPolicy({ directories: [inside] }), { door: 'test' });

/** Returns the manager with another `exec`. */
function withExec(manager: TerminalManager, exec: TerminalManager['exec']): TerminalManager {
  return new Proxy(manager, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name === 'exec') return exec;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

describe.each(MANAGERS)('%s, a command that was checked for one directory', (_where, start) => {
  it.each(['cd ..', 'cd ../sub', 'true'])(
    'is not run after another command that has ended since: %s',
    async (between) => {
      const manager = start();
      const { id } = await manager.create({ ...bash(), cwd: join(inside, 'sub') });
      const late = withExec(manager, async (...call) => {
        await manager.exec(id, { command: between });
        return manager.exec(...call);
      });
      const refused = { code: 'TERMINAL_BUSY', message: expect.stringContaining('during the policy check') as unknown };
      await expect(underPolicy(late).exec(id, { command: 'cd ..' })).rejects.toMatchObject(refused);
      expect((await manager.commands(id)).map(({ text }) => text)).toEqual([between]);
      expect(await underPolicy(manager).exec(id, { command: 'echo on' })).toMatchObject({ output: 'on' });
    },
  );

  it('is not run if the start files have changed the directory meanwhile', async () => {
    const manager = start();
    const go = join(outside, 'go');
    execFileSync('mkfifo', [go]);
    writeFileSync(join(outside, '.bashrc'), `echo waits; read -r _ < ${go}; cd ${outside}`);
    const { id } = await manager.create({ ...bash(), cwd: inside });
    await readUntilText(manager, id, 'waits');
    const early = withExec(manager, (...call) => {
      const result = manager.exec(...call);
      writeFileSync(go, '\n');
      return result;
    });
    const exec = underPolicy(early).exec(id, { command: 'touch made' });
    await expect(exec).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    expect(await manager.commands(id)).toEqual([]);
    expect(await manager.exec(id, { command: 'pwd' })).toMatchObject({ output: outside });
  });

  it('cannot be left, however many processes race for it', async () => {
    const manager = start();
    const { id } = await manager.create({ ...bash(), cwd: inside });
    const door = underPolicy(manager);
    const exec = (command: string) =>
      door.exec(id, { command }).then(
        ({ cwd }) => cwd,
        () => inside,
      );
    const cwds = new Set<string | null>();
    const again = async (command: string) => {
      for (let times = 0; times < 40; times++) await exec(command).then((cwd) => cwds.add(cwd));
    };
    await Promise.all([`cd ${inside}/sub`, 'cd ..', 'cd ..', 'cd ..', 'cd ..'].map(again));
    expect([...cwds].sort()).toEqual([inside, join(inside, 'sub')]);
  });
});
