/** Tests requests that are impossible or deceptive, and a release that several callers wait for. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcpTerminals } from '../../src/acp.js';
import type { CreateTerminalParams, TerminalParams } from '../../src/acp.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { error } from '../conformance/error.js';
import { MANAGERS, stopEngines } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';

const SESSION = 'sess_1';
const STUBBORN = `trap "" TERM HUP; echo ready; while :; do sleep 0.05; done`;

let directory: string;
beforeEach(() => void (directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-')))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

it.each(['bash', 'dash', 'busybox sh'])('%s receives a line as the library passes it', (shell) => {
  const [program, ...args] = `${shell} -c -- -x`.split(' ') as [string, ...string[]];
  const { status, error: failure } = spawnSync(program, args);
  if (!failure?.message.includes('ENOENT')) expect(status).toBe(127);
});

describe.each(MANAGERS)('with terminals held %s,', (_where, startManager) => {
  let manager: TerminalManager;
  let terminals: AcpTerminals;
  beforeEach(() => {
    manager = startManager({ killGraceMs: 300 });
    terminals = new AcpTerminals({ manager });
    terminals.openSession(SESSION, { cwd: directory });
  });

  type Asked = Omit<CreateTerminalParams, 'sessionId'>;
  const create = async (asked: Asked): Promise<TerminalParams> => ({
    sessionId: SESSION,
    ...(await terminals.createTerminal({ sessionId: SESSION, ...asked })),
  });

  async function directoryOf(cwd: string): Promise<string> {
    const id = await create({ command: '/bin/pwd', args: ['-P'], cwd });
    await terminals.waitForTerminalExit(id);
    return (await terminals.terminalOutput(id)).output;
  }

  it('a directory that differs for each process is resolved in this process', async () => {
    mkdirSync(join(directory, 'sub'));
    symlinkSync('/proc/self/cwd', join(directory, 'here'));
    symlinkSync('sub', join(directory, 'link'));
    expect(await directoryOf('/proc/self/cwd')).toBe(`${realpathSync(process.cwd())}\n`);
    expect(await directoryOf(join(directory, 'here'))).toBe(`${realpathSync(process.cwd())}\n`);
    expect(await directoryOf(join(directory, 'link'))).toBe(`${join(directory, 'sub')}\n`);
    // This path may exist for the host process, whose own directory is the root.
    await expect(directoryOf('/proc/self/cwd/usr/..')).rejects.toEqual(
      error('INVALID_INPUT', /^cwd: .*does not exist/),
    );
    await expect(directoryOf('/etc/passwd')).rejects.toEqual(error('INVALID_INPUT', /^cwd: .*is not a directory/));
  });

  it('errors use the parameter names of the protocol', async () => {
    const most = 128 * 1024 - 1;
    const env = (name: string, value = 'x') => ({ command: 'true', env: [{ name, value }] });
    for (const [words, asked] of [
      [/^command: expected text without a NUL character, given /, { command: 'echo \0' }],
      [/^args\.0: expected text without a NUL character, given /, { command: 'echo', args: ['\0'] }],
      [new RegExp(`^command: expected a line of at most ${most} bytes`), { command: 'é'.repeat(most / 2 + 1) }],
      [/^env\.0\.name: expected a non-empty name without = and NUL, given "a=b"$/, env('a=b')],
      [/^env\.0\.name: expected a name other than __proto__$/, env('__proto__')],
      [/^env\.0\.value: expected text without a NUL character, given /, env('a', '\0')],
    ] satisfies [words: RegExp, asked: Asked][]) {
      await expect(create(asked)).rejects.toEqual(error('INVALID_INPUT', words));
    }
    expect(await manager.list()).toEqual([]);
  });

  it('the longest possible line runs', async () => {
    const command = 'echo yes #'.padEnd(128 * 1024 - 1, 'x');
    const id = await create({ command });
    await terminals.waitForTerminalExit(id);
    expect((await terminals.terminalOutput(id)).output).toBe('yes\n');
  });

  it('a line that begins like an option is still a line', async () => {
    for (const command of ['-x', '+x', '-c', '--', '--version']) {
      const id = await create({ command });
      expect(await terminals.waitForTerminalExit(id)).toEqual({ exitCode: 127, signal: null });
      expect((await terminals.terminalOutput(id)).output).toContain(`${command}: command not found`);
    }
  });

  it('variables with any other name reach the command', async () => {
    const env = ['constructor', 'toString', 'hasOwnProperty'].map((name) => ({ name, value: `mine ${name}` }));
    const id = await create({ command: 'printenv constructor toString hasOwnProperty', env });
    await terminals.waitForTerminalExit(id);
    expect((await terminals.terminalOutput(id)).output).toBe('mine constructor\nmine toString\nmine hasOwnProperty\n');
  });

  it.each([
    ['a close', () => terminals.close()],
    ['a close of the session', () => terminals.closeSession(SESSION)],
    ['a release', (id: TerminalParams) => terminals.releaseTerminal(id)],
  ] as const)('a close waits for %s in progress', async (_what, begin) => {
    const id = await create({ command: STUBBORN });
    await eventually(async () => (await terminals.terminalOutput(id)).output === 'ready\n');
    const begun = begin(id);
    await terminals.close();
    expect(await manager.list()).toEqual([]);
    await begun;
  });
});
