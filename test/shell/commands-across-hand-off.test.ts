/**
 * Tests that commands survive the processes that hold their terminal: a host that hands over, a process that is killed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateTerminal } from '../../src/contract/terminal.js';
import { readUntil, startEngine, startInHost, stopEngines } from '../engine/engine-under-test.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from '../host/host-under-test.js';

let directory: string;
let SHELL: CreateTerminal;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-lasting-'));
  SHELL = { shell: '/bin/bash', cwd: directory, env: { HOME: directory } };
});
afterEach(async () => {
  await stopEngines();
  await endHosts();
  rmSync(directory, { recursive: true, force: true });
});

/** Returns the number of commands in a file. */
function savedBegins(file: string): number {
  if (!existsSync(file)) return 0;
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Set(lines.map((line) => /"commandId":(\d+)/.exec(line)?.[1]).filter(Boolean)).size;
}

/** Whether the record beside the history contains this text. */
function isSaved(terminal: string, text: string): boolean {
  return readFileSync(join(terminal, 'terminal.json'), 'utf8').includes(`"${text}"`);
}

describe('commands', () => {
  it('continue while their host hands over, three times, and are returned to waiting callers', async () => {
    const manager = startInHost();
    const { id } = await manager.create(SHELL);
    await manager.exec(id, { command: 'mine=kept; cd /usr' });
    for (let round = 0; round < 3; round++) {
      const file = join(directory, `go${round}`);
      const text = `echo begun ${round} $mine; while ! test -e ${file}; do sleep 0.02; done; echo over ${round}; false`;
      const answer = manager.exec(id, { command: text });
      await readUntil(manager, id, (shown) => shown.includes(`\nbegun ${round} kept`));
      expect(await manager.upgradeHosts()).toHaveLength(1);
      writeFileSync(file, '');
      expect(await answer).toMatchObject({
        output: `begun ${round} kept\nover ${round}`,
        exitCode: 1,
        cwd: '/usr',
        via: 'marker',
      });
      expect(await manager.exec(id, { command: 'clear; echo $mine' })).toMatchObject({
        output: expect.stringMatching(/kept$/),
      });
    }
    const texts = (await manager.commands(id)).map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith('echo begun'))).toHaveLength(3);
  });

  it('are read on from the same position after a hand-off, with rewritten lines reported', async () => {
    const manager = startInHost();
    const { id } = await manager.create(SHELL);
    const go = join(directory, 'go');
    const until = `while ! test -e ${go}; do sleep 0.02; done`;
    const begun = await manager.exec(id, {
      command: `printf 'one\ntwo\n50 %%\nbegun '; ${until}; printf '\\e[A\r99 %%\\e[K\n\\e[Kon\nover\n'; (exit 5)`,
      untilInput: false,
      detach: true,
    });
    const { commandId } = begun;
    await readUntil(manager, id, (shown) => shown.includes('\nbegun'));
    const { cursor, output } = await manager.collect(id, commandId, { timeoutMs: 0 });
    expect(output).toMatch(/^one\ntwo\n50 %\nbegun ?$/);
    expect(await manager.upgradeHosts()).toHaveLength(1);
    writeFileSync(go, '');
    const rest = await manager.collect(id, commandId, { timeoutMs: 20_000, cursor });
    expect(rest).toMatchObject({ output: '99 %\non\nover', exitCode: 5 });
  });

  it('are read on from the same position even if many others were read meanwhile', async () => {
    const manager = startEngine();
    const { id } = await manager.create(SHELL);
    const text = `cat ${join(directory, 'pipe')}`;
    await manager.exec(id, { command: `mkfifo ${join(directory, 'pipe')}; for i in 1 2 3 4 5 6; do echo; done` });
    for (let i = 0; i < 5; i++) await manager.exec(id, { command: `echo ${i}` });
    const { commandId } = await manager.exec(id, { command: `echo one; ${text}; echo two`, detach: true });
    await readUntil(manager, id, (shown) => shown.includes('\none'));
    const { cursor } = await manager.collect(id, commandId, { timeoutMs: 0 });
    for (let other = 1; other < 6; other++) await manager.readCommand(id, other);
    writeFileSync(join(directory, 'pipe'), '');
    const rest = await manager.collect(id, commandId, { timeoutMs: 20_000, cursor });
    expect(rest).toMatchObject({ output: 'two', exitCode: 0 });
  });

  it('make room on a line that was half typed before a hand-off, and restore it', async () => {
    const manager = startInHost();
    const { id } = await manager.create({ ...SHELL, shell: '/bin/dash' });
    await manager.exec(id, { command: 'true' });
    await manager.write(id, { input: 'echo hal', enter: false });
    await readUntil(manager, id, (shown) => shown.endsWith('echo hal'));
    expect(await manager.upgradeHosts()).toHaveLength(1);
    expect(await manager.exec(id, { command: 'echo next' })).toMatchObject({ output: 'next' });
    await readUntil(manager, id, (shown) => /\nnext\n[^\n]*echo hal$/.test(shown));
    await manager.write(id, { input: 'f-way' });
    await readUntil(manager, id, (shown) => shown.includes('\nhalf-way\n'));
  });

  const within = ['bash --norc', ...(process.getuid?.() === 0 ? ['unshare -m sh -i'] : [])];
  it.each(within)('continue in a nested shell during a hand-off: %s', async (inner) => {
    const manager = startInHost();
    const { id } = await manager.create(SHELL);
    await manager.exec(id, { command: inner, detach: true });
    const shell = await manager.integrate(id, { timeoutMs: 20_000 });
    await manager.exec(id, { command: 'mine=kept; cd /usr' });
    for (let round = 0; round < 2; round++) {
      const file = join(directory, `go${round}`);
      const text = `echo begun ${round}; while ! test -e ${file}; do sleep 0.02; done; echo over; false`;
      const answer = manager.exec(id, { command: text });
      await readUntil(manager, id, (shown) => shown.includes(`\nbegun ${round}`));
      expect(await manager.upgradeHosts()).toHaveLength(1);
      writeFileSync(file, '');
      expect(await answer).toMatchObject({ output: `begun ${round}\nover`, exitCode: 1, cwd: '/usr', within: 1 });
      expect(await manager.integrate(id)).toEqual({ ...shell, cwd: '/usr' });
      expect(await manager.exec(id, { command: 'echo $mine' })).toMatchObject({ output: 'kept', within: 1 });
    }
    await manager.exec(id, { command: 'exit 3' });
    expect(await manager.collect(id, 1)).toMatchObject({ exitCode: 3, via: 'marker', within: null });
    expect(await manager.exec(id, { command: 'pwd' })).toMatchObject({ output: directory, within: null });
  });

  it.each(within)('run in a nested shell that is integrated during a hand-off: %s', async (inner) => {
    const manager = startInHost();
    for (let round = 0; round < 4; round++) {
      const { id } = await manager.create(SHELL);
      await manager.exec(id, { command: inner, detach: true });
      const integrating = manager.integrate(id, { timeoutMs: 20_000 });
      // Before, while and after something is typed.
      if (round > 0) await manager.wait(id, { idleMs: 100 * round });
      await manager.upgradeHosts();
      expect(await integrating).toMatchObject({ within: 1 });
      expect(await manager.exec(id, { command: 'echo in' })).toMatchObject({ output: 'in', within: 1 });
    }
  });

  it('are reported by the next process if theirs was killed', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const { id } = await manager.create(SHELL);
    await manager.exec(id, { command: 'echo one; false' });
    await manager.exec(id, { command: 'echo two; sleep 1000', detach: true });
    await readUntil(manager, id, (shown) => /^two$/m.test(shown));
    // The disk is updated a moment later.
    await readUntil(manager, id, () => savedBegins(join(places.dataDir, 'terminals', '0', id, 'commands.jsonl')) === 2);
    await readUntil(manager, id, () => isSaved(join(places.dataDir, 'terminals', '0', id), 'two'));
    await murder(hostPids(places)[0]!);
    const [first, second] = await manager.commands(id);
    expect(first).toMatchObject({ commandId: 1, exitCode: 1, state: 'completed', via: 'marker' });
    expect(second).toMatchObject({ commandId: 2, exitCode: null, signal: null, state: 'lost', via: null });
    expect((await manager.readCommand(id, 1)).output).toBe('one');
    expect(await manager.collect(id, 1)).toMatchObject({ output: 'one', exitCode: 1, completed: true });
    await expect(manager.exec(id, { command: 'true' })).rejects.toMatchObject({ code: 'TERMINAL_INACTIVE' });
  });

  it('are reported by the next process if their terminal had ended', async () => {
    const manager = startEngine({ historyDir: directory });
    const { id } = await manager.create({ ...SHELL, cwd: '/' });
    await manager.exec(id, { command: 'echo one' });
    await manager.exec(id, { command: 'exit 3' });
    await manager.shutdown();
    const next = startEngine({ historyDir: directory });
    await next.recover();
    expect(await next.commands(id)).toMatchObject([
      { commandId: 1, text: 'echo one', exitCode: 0 },
      { commandId: 2, text: 'exit 3', exitCode: 3, via: 'exit' },
    ]);
    expect((await next.readCommand(id, 1)).output).toBe('one');
  });
});
