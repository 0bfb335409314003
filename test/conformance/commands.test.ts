/** Tests commands in shells, wherever the terminals are held: run, awaited, collected, interrupted, listed and read. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandRecord, commandResult, integratedShell, type ListCommands } from '../../src/contract/command.js';
import { outputPage } from '../../src/contract/output.js';
import { terminalSummary, type CreateTerminal } from '../../src/contract/terminal.js';
import { MANAGERS, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

let directory: string;
let SHELL: CreateTerminal;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-commands-'));
  SHELL = { shell: '/bin/bash', cwd: directory, env: { HOME: directory } };
});
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

/** Reached only if the test fails. */
const LONG = { timeoutMs: 60_000 };

/** Continues when the file `go` exists. */
const UNTIL_GO = 'while ! test -e go; do sleep 0.02; done';
const go = (): void => writeFileSync(join(directory, 'go'), '');

describe.each(MANAGERS)('commands %s', (_where, startManager) => {
  it('that timed out before the shell was ready run once when they are requested again', async () => {
    writeFileSync(join(directory, '.bashrc'), UNTIL_GO);
    const manager = startManager();
    const { id } = await manager.create(SHELL);
    const [key, caller] = [randomUUID(), new AbortController()];
    const request = { command: 'echo $((times += 1))', ...LONG };
    const left = manager.exec(id, request, { key, signal: caller.signal });
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    go();
    for (const _again of [1, 2]) expect(await manager.exec(id, request, { key })).toMatchObject({ output: '1' });
  });

  it('are found by their text', async () => {
    const manager = startManager();
    const { id } = await manager.create(SHELL);
    for (const command of ['true one', 'true two', ': three']) await manager.exec(id, { command });
    const texts = async (request: ListCommands) => (await manager.commands(id, request)).map(({ text }) => text);
    expect(await texts({ text: 'true' })).toEqual(['true one', 'true two']);
    expect(await texts({ text: 'true', after: 0, limit: 1 })).toEqual(['true one']);
    expect(await texts({ text: 'true', limit: 1 })).toEqual(['true two']);
    expect(await texts({ regex: 'T[WH]', ignoreCase: true })).toEqual(['true two', ': three']);
    expect(await texts({ regex: 'T[WH]' })).toEqual([]);
    for (const wrong of [{ regex: '(' }, { text: 'a', regex: 'b' }])
      await expect(texts(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('are shown in lists of terminals: the last one, shortened, with its state and result', async () => {
    const manager = startManager();
    const { id, lastCommand } = await manager.create(SHELL);
    expect(lastCommand).toBeNull();
    const listed = async () => {
      const [found] = (await manager.list()).filter((one) => one.id === id);
      expect((await manager.get(id)).lastCommand).toEqual(found!.lastCommand);
      return terminalSummary.parse(found).lastCommand;
    };
    await manager.exec(id, { command: '(exit 7)' });
    expect(await listed()).toEqual({ commandId: 1, text: '(exit 7)', state: 'completed', exitCode: 7 });
    const long = `: ${'x'.repeat(196)}\u{1F600}${'y'.repeat(99)}; ${UNTIL_GO}`;
    await manager.exec(id, { command: long, timeoutMs: 0 });
    const text = `: ${'x'.repeat(196)}…`;
    expect(await listed()).toEqual({ commandId: 2, text, state: 'running', exitCode: null });
    go();
    await manager.collect(id, 2, LONG);
    expect(await listed()).toEqual({ commandId: 2, text, state: 'completed', exitCode: 0 });
    await manager.exec(id, { command: 'bash --norc', ...LONG });
    expect(await listed()).toEqual({ commandId: 3, text: 'bash --norc', state: 'running', exitCode: null });
    await manager.kill(id);
    expect(await listed()).toMatchObject({ commandId: 3, text: 'bash --norc', state: 'completed' });
  });

  it('are answered, described and read in the form of the contract', async () => {
    const manager = startManager();
    const { id, integrated } = await manager.create(SHELL);
    expect(integrated).toBe(true);
    const result = await manager.exec(id, { command: 'cd /usr; echo hi; false' });
    commandResult.parse(result);
    expect(result).toMatchObject({ commandId: 1, output: 'hi', exitCode: 1, cwd: '/usr', completed: true });
    const record = commandRecord.parse(await manager.command(id, 1));
    expect(await manager.commands(id)).toEqual([record]);
    expect(await manager.commands(id, { after: 1 })).toEqual([]);
    const page = outputPage.parse(await manager.readCommand(id, 1, { format: 'raw' }));
    expect(page).toMatchObject({ output: 'hi\r\n', isActive: false, exitCode: 1 });
  });

  it('continue after the timeout, can be read meanwhile, and collected', async () => {
    const manager = startManager();
    const { id } = await manager.create(SHELL);
    // The timeout starts with the call, so the shell must be ready by then.
    await manager.exec(id, { command: 'true' });
    const begun = await manager.exec(id, {
      command: `sh -c 'echo one; ${UNTIL_GO}; echo two; exit 3'`,
      timeoutMs: 200,
    });
    expect(begun).toMatchObject({ completed: false, state: 'running', exitCode: null });
    await manager.wait(id, { text: 'one\n', fromOffset: 0, ...LONG });
    const first = await manager.readCommand(id, 2);
    expect(first).toMatchObject({ output: 'one', isActive: true });
    const rest = manager.readCommand(id, 2, { cursor: first.cursor, timeoutMs: 60_000 });
    const end = manager.collect(id, 2, LONG);
    go();
    expect((await rest).output).toBe('two');
    expect(await end).toMatchObject({ completed: true, exitCode: 3, output: 'one\ntwo' });
  });

  it('run in a nested shell after it is integrated, and in the outer one after it has ended', async () => {
    const manager = startManager();
    const { id } = await manager.create(SHELL);
    await expect(manager.integrate(id)).rejects.toEqual(error('NOT_INTEGRATED', /No command is running/));
    await expect(manager.integrate('none')).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
    await expect(manager.integrate(id, { as: 'fish' as 'sh' })).rejects.toEqual(error('INVALID_INPUT'));
    await manager.exec(id, { command: 'bash --norc', detach: true });
    const shell = integratedShell.parse(await manager.integrate(id, { timeoutMs: 20_000 }));
    expect(shell).toMatchObject({ terminalId: id, within: 1, kind: 'bash' });
    const outer = await manager.collect(id, 1, { timeoutMs: 20_000 });
    expect(outer).toMatchObject({ state: 'nested', waiting: { kind: 'program', by: 'bash', certain: true } });
    const inner = commandResult.parse(await manager.exec(id, { command: 'cd /usr; (exit 4)' }));
    expect(inner).toMatchObject({ commandId: 2, within: 1, exitCode: 4, cwd: '/usr', via: 'marker' });
    const last = await manager.exec(id, { command: 'exit 5' });
    expect(last).toMatchObject({ within: 1, exitCode: null, via: 'exit', shellExited: false });
    expect(await manager.collect(id, 1)).toMatchObject({ within: null, exitCode: 5, cwd: directory });
    expect(await manager.exec(id, { command: 'pwd' })).toMatchObject({ within: null, output: directory });
  });

  it('are interrupted', async () => {
    const manager = startManager();
    const { id } = await manager.create(SHELL);
    await manager.exec(id, { command: `sh -c 'echo be""gun; exec sleep 1000'`, detach: true });
    await readUntilText(manager, id, /^begun$/m);
    await manager.interrupt(id, 1);
    expect(await manager.collect(id, 1, LONG)).toMatchObject({ completed: true, exitCode: 130 });
    await manager.interrupt(id, 1);
  });

  it('end only their wait when the caller disconnects', async () => {
    const manager = startManager();
    const { id } = await manager.create(SHELL);
    await manager.exec(id, { command: 'true' });
    const gone = new AbortController();
    const waiting = manager.exec(id, { command: `sh -c 'echo be""gun; ${UNTIL_GO}'` }, { signal: gone.signal });
    await readUntilText(manager, id, /^begun$/m);
    gone.abort();
    expect(await waiting).toMatchObject({ commandId: 2, completed: false });
    go();
    expect(await manager.collect(id, 2, LONG)).toMatchObject({ completed: true, exitCode: 0 });
  });

  it('are refused with the name of the parameter', async () => {
    const manager = startManager();
    await expect(manager.exec('nobody', { command: 'true' })).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
    const cat = await run(manager, 'cat');
    await expect(manager.exec(cat.id, { command: 'true' })).rejects.toEqual(error('NOT_INTEGRATED'));
    const { id } = await manager.create(SHELL);
    await expect(manager.command(id, 1)).rejects.toEqual(error('COMMAND_NOT_FOUND'));
    await expect(manager.collect(id, 0)).rejects.toEqual(error('INVALID_INPUT'));
    await expect(manager.exec(id, { command: 'a\0b' })).rejects.toEqual(error('INVALID_INPUT'));
    await manager.exec(id, { command: `sh -c '${UNTIL_GO}'`, detach: true });
    await expect(manager.exec(id, { command: 'true' })).rejects.toMatchObject({
      code: 'TERMINAL_BUSY',
      details: { commandId: 1, state: 'running', text: `sh -c '${UNTIL_GO}'` },
    });
    go();
    await manager.collect(id, 1, LONG);
    await manager.exec(id, { command: 'exit 4' });
    await expect(manager.exec(id, { command: 'true' })).rejects.toEqual(error('TERMINAL_INACTIVE'));
    expect(await manager.collect(id, 2)).toMatchObject({ exitCode: 4, shellExited: true });
  });

  it('are not tracked if integration is off', async () => {
    const manager = startManager({ shellIntegration: false });
    const { id, integrated } = await manager.create(SHELL);
    expect(integrated).toBe(false);
    await expect(manager.exec(id, { command: 'true' })).rejects.toEqual(error('NOT_INTEGRATED'));
    const followed = await manager.create({ ...SHELL, integration: true });
    expect(await manager.exec(followed.id, { command: 'true' })).toMatchObject({ exitCode: 0 });
  });
});
