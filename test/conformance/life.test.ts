/**
 * Tests the life cycle of terminals, wherever they are held: created, used, ended, read after their end, removed,
 * expired.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BASH,
  MANAGERS,
  readUntilExit,
  readUntilText,
  run,
  screenUntil,
  stopEngines,
} from '../engine/engine-under-test.js';
import { error } from './error.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-'))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(MANAGERS)('a terminal %s', (_where, startManager) => {
  it('runs a shell in the requested directory and with the requested variables', async () => {
    const manager = startManager();
    const { id, pid, status, shell } = await manager.create({
      ...BASH,
      cwd: directory,
      env: { ...BASH.env, GREETING: 'hello you' },
    });
    expect({ status, shell, isAlive: process.kill(pid, 0) }).toEqual({
      status: 'active',
      shell: '/bin/bash',
      isAlive: true,
    });
    await manager.write(id, { input: 'pwd; echo "$GREETING"' });
    expect(await readUntilText(manager, id, 'hello you\n')).toContain(`\n${directory}\nhello you\n`);
  });

  it('continues without readers, and returns to a later reader exactly the new output', async () => {
    const manager = startManager();
    const { id } = await manager.create(BASH);
    await readUntilText(manager, id, '$ ');
    const before = await manager.read(id);
    await manager.write(id, { input: 'echo o-n-e; echo t-w-o' });
    await readUntilText(manager, id, /^t-w-o\n\$ $/m);
    expect((await manager.read(id, { cursor: before.cursor })).output).toBe('echo o-n-e; echo t-w-o\no-n-e\nt-w-o\n$ ');
  });

  it('accepts keys, control characters and text without Enter', async () => {
    const manager = startManager();
    const { id } = await manager.create(BASH);
    await manager.write(id, { input: 'echo first' });
    await readUntilText(manager, id, /^first$/m);
    await manager.write(id, { keys: ['up'] });
    await manager.write(id, { input: '-second', enter: false });
    await manager.write(id, { keys: ['enter'] });
    await readUntilText(manager, id, /^first-second$/m);
    await manager.write(id, { input: `sh -c 'echo r""eady; exec cat'` });
    await readUntilText(manager, id, /^ready$/m);
    await manager.write(id, { input: '\x03' });
    // bash may discard text that is typed before the prompt has returned.
    await readUntilText(manager, id, /\^C\n\$ $/);
    await manager.write(id, { input: 'echo code=$?' });
    await readUntilText(manager, id, 'code=130');
    const { inputCount, recentInputs } = await manager.get(id);
    expect(inputCount).toBe(7);
    expect(recentInputs.map(({ bytes }) => bytes)).toEqual([11, 3, 7, 1, 31, 1, 13]);
  });

  it('reports its exit code, and stays readable until it is removed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sh', '-c', 'printf "last words"; exit 7');
    expect(await readUntilExit(manager, id)).toBe('last words');
    expect(await manager.get(id)).toMatchObject({
      status: 'exited',
      exitCode: 7,
      signal: null,
      ended: expect.any(String),
    });
    expect(await manager.stats(id)).toMatchObject({ isActive: false, totalLines: 1, bufferSize: 1, newestLine: 0 });
    expect((await manager.screen(id)).lines[0]).toBe('last words');
    await expect(manager.write(id, { input: 'x' })).rejects.toEqual(error('TERMINAL_INACTIVE', /exit code 7/));
    await expect(manager.resize(id, { cols: 10, rows: 10 })).rejects.toEqual(error('TERMINAL_INACTIVE'));
    await expect(manager.signal(id, { signal: 'SIGINT' })).rejects.toEqual(error('TERMINAL_INACTIVE'));
    await manager.remove(id);
    await expect(manager.read(id)).rejects.toEqual(error('TERMINAL_NOT_FOUND', new RegExp(id)));
  });

  it('reports the signal that ended it', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sleep', '1000');
    await manager.signal(id, { signal: 'SIGKILL' });
    await readUntilExit(manager, id);
    expect(await manager.get(id)).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('can be killed and read afterwards', async () => {
    const manager = startManager();
    const { id, pid } = await manager.create(BASH);
    await readUntilText(manager, id, '$ ');
    await manager.kill(id);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await manager.get(id)).toMatchObject({ status: 'exited' });
    expect((await manager.read(id)).output).toContain('$ ');
    await manager.kill(id);
  });

  it('shows a full-screen program, and nothing left over from it afterwards', async () => {
    const manager = startManager();
    const { id } = await manager.create({ ...BASH, cols: 60, rows: 12 });
    await manager.write(id, { input: `printf 'before\\n'; seq 1 100 | less` });
    await readUntilText(manager, id, /^before$/m);
    await screenUntil(manager, id, ({ alternate }) => alternate);
    await manager.write(id, { input: 'G', enter: false });
    await screenUntil(manager, id, ({ lines }) => lines.includes('100'));
    await manager.write(id, { input: 'q', enter: false });
    // Waits for the prompt before typing; otherwise the text is echoed twice, by the kernel and by the shell.
    await screenUntil(manager, id, ({ alternate, lines }) => !alternate && lines.includes('$ '));
    await manager.write(id, { input: 'echo aft""er' });
    const text = await readUntilText(manager, id, /^after$/m);
    expect(text).toMatch(/before\n\$ echo aft""er\nafter/);
    expect((await manager.screen(id)).alternate).toBe(false);
  });

  it('reports a new size to the program', async () => {
    const manager = startManager();
    const { id } = await manager.create(BASH);
    await manager.resize(id, { cols: 111, rows: 33 });
    await manager.write(id, { input: 'stty size' });
    await readUntilText(manager, id, /^33 111$/m);
    expect(await manager.screen(id)).toMatchObject({ cols: 111, rows: 33 });
  });

  it('answers queries of the program to the terminal', async () => {
    const manager = startManager();
    const ask = 'stty -echo -icanon; printf "\\033[3;5H\\033[6n"; dd bs=6 count=1 2>/dev/null | od -c';
    const { id } = await run(manager, 'sh', '-c', ask);
    expect(await readUntilExit(manager, id)).toContain('033   [   3   ;   5   R');
  });

  it('clears its history on request, and continues the numbering', async () => {
    const manager = startManager();
    const { id } = await manager.create(BASH);
    await manager.write(id, { input: 'seq 1 100' });
    await readUntilText(manager, id, /^100\n\$ $/m);
    const { totalLines } = await manager.stats(id);
    await manager.clear(id);
    expect(await manager.read(id)).toMatchObject({
      output: '$ ',
      totalLines,
      fromLine: totalLines - 1,
      droppedLines: 0,
    });
    expect(await manager.read(id, { since: 0 })).toMatchObject({ droppedLines: totalLines - 1, droppedFrom: 0 });
    await manager.write(id, { input: 'echo mo""re' });
    await readUntilText(manager, id, /^more$/m);
    expect((await manager.stats(id)).totalLines).toBe(totalLines + 2);
  });
});

/** Longer than the time between two reads on a busy machine, so that a reader always touches the terminal in time. */
const IDLE_MS = 3000;

describe.each(MANAGERS)('time %s', (_where, startManager) => {
  it('removes ended terminals that are only in memory after they have not been read for a while', async () => {
    const manager = startManager({ sessionTimeoutMs: IDLE_MS, historyPlace: 'memory' });
    const running = await run(manager, 'sleep', '1000');
    const ended = await run(manager, 'true');
    const watched = await run(manager, 'true');
    for (;;) {
      await manager.read(watched.id, { timeoutMs: 10 });
      const ids = (await manager.list()).map(({ id }) => id);
      if (ids.includes(ended.id)) continue;
      expect(ids).toEqual([running.id, watched.id]);
      break;
    }
    await expect(manager.get(ended.id)).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
  });

  it('shuts down completely and finally', async () => {
    const manager = startManager();
    const { pid } = await run(
      manager,
      'bash',
      '-c',
      'trap "" TERM HUP INT; setsid sleep 1000 & while :; do sleep 1; done',
    );
    await Promise.all([manager.shutdown(50), manager.shutdown(50)]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(manager.create()).rejects.toEqual(error('SHUTTING_DOWN'));
    expect(await manager.list()).toEqual([]);
  });
});
