/**
 * Tests shells of a user other than root, with an engine that runs as that user: everything works the same, including
 * the detection of input.
 */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CommandRecord, CommandResult } from '../../src/contract/command.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { whereRoot } from '../where.js';
import { ShellAtWork } from './shell-at-work.js';

const run = promisify(execFile);
const { describe: describeAsRoot } = whereRoot();

const LIBRARY = join(import.meta.dirname, '..', '..', 'dist', 'index.js');
const NOBODY = 65534;
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** One step: runs a command, answers the previous one, or types. */
type Step = { readonly exec: string } | { readonly answer: string } | { readonly type: string };

interface Told {
  readonly results: CommandResult[];
  readonly commands: CommandRecord[];
}

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tenacitty-nobody-'));
  chownSync(home, NOBODY, NOBODY);
  chmodSync(home, 0o700);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Takes these steps in a shell of the user nobody, with an engine that runs as nobody. */
async function asNobody(shell: string, steps: readonly Step[]): Promise<Told> {
  const text = `
    import { LocalTerminalManager } from ${JSON.stringify(LIBRARY)};
    const [shell, steps] = process.argv.slice(1);
    const manager = new LocalTerminalManager();
    const { id } = await manager.create({ shell, cwd: process.env.HOME });
    const results = [];
    for (const { exec, answer, type } of JSON.parse(steps)) {
      if (exec !== undefined) results.push(await manager.exec(id, { command: exec }));
      else await manager.write(id, { input: answer ?? type });
      const { commandId } = results.at(-1);
      if (answer !== undefined) results.push(await manager.collect(id, commandId, { timeoutMs: 60_000, untilInput: false }));
      if (type !== undefined) await manager.wait(id, { text: 'typed' });
    }
    console.log(JSON.stringify({ results, commands: await manager.commands(id) }));
    await manager.shutdown(0);`;
  const node = [process.execPath, '--input-type=module', '-e', text, '--', shell, JSON.stringify(steps)];
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, PS1: '$ ' };
  const { stdout } = await run('setpriv', [...AS_NOBODY, ...node], { cwd: home, env });
  return JSON.parse(stdout) as Told;
}

describeAsRoot('a shell whose directory another user has created', () => {
  afterAll(stopEngines);

  it('gets no commands through it', async () => {
    const at = new ShellAtWork(startEngine(), 'bash');
    await at.start();
    await at.exec('true');
    const directory = await at.scripts();
    renameSync(directory, `${directory}-removed`);
    mkdirSync(directory, { mode: 0o777 });
    chownSync(directory, NOBODY, NOBODY);
    await expect(at.exec('echo ran')).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    expect(readdirSync(directory)).toEqual([]);
    rmSync(directory, { recursive: true });
    renameSync(`${directory}-removed`, directory);
    expect(await at.exec('echo ran')).toMatchObject({ exitCode: 0, output: 'ran' });
    await at.end();
  });
});

describeAsRoot.each(['/bin/bash', '/usr/bin/dash'])('a shell of the user nobody: %s', (shell) => {
  it('returns output, exit code and directory, and keeps its state', async () => {
    const steps = ['id -u; (exit 3)', 'cd /usr; mine=kept', 'echo $mine; cat <<E\nover\nE', 'echo "open'];
    const { results } = await asNobody(
      shell,
      steps.map((exec) => ({ exec })),
    );
    expect(results).toMatchObject([
      { exitCode: 3, output: String(NOBODY), via: 'marker', cwd: home },
      { exitCode: 0, output: '', cwd: '/usr' },
      { exitCode: 0, output: 'kept\nover' },
      { completed: true, cwd: '/usr' },
    ]);
    expect(results[3]!.exitCode).not.toBe(0);
  });

  it('reports a wait for a line, which is answered', async () => {
    const { results } = await asNobody(shell, [{ exec: 'printf "Name? "; read x; echo got $x' }, { answer: 'Bob' }]);
    expect(results).toMatchObject([
      { completed: false, state: 'waiting', waiting: { kind: 'line', certain: true } },
      { completed: true, exitCode: 0, output: 'Name? Bob\ngot Bob' },
    ]);
  });

  it('reports a wait for a password, which is answered', async () => {
    const ask = 'stty -echo; printf "Password: "; read x; stty echo; test "$x" = secret';
    const { results } = await asNobody(shell, [{ exec: ask }, { answer: 'secret' }]);
    expect(results).toMatchObject([{ waiting: { kind: 'password' } }, { completed: true, exitCode: 0 }]);
  });

  it('reports how it has ended', async () => {
    const { results } = await asNobody(shell, [{ exec: 'exit 7' }]);
    expect(results).toMatchObject([{ completed: true, exitCode: 7, via: 'exit', shellExited: true }]);
  });

  it('records what a person types', async () => {
    const { commands } = await asNobody(shell, [{ exec: 'true' }, { type: 'echo ty""ped' }]);
    expect(commands).toMatchObject([{ origin: 'exec' }, { origin: 'typed', text: 'echo ty""ped' }]);
  });
});
