/** Tests an agent behind a policy: a denied command returns an error in words, and nothing is started. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import type { AskForApproval } from '../../src/access/policy/command-policy.js';
import type { CommandPolicyDescription } from '../../src/access/policy/policy-description.js';
import { AcpTerminals } from '../../src/acp.js';
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';

const SESSION = 'sess_1';
let directory: string;
let manager: LocalTerminalManager;
let terminals: AcpTerminals;
beforeEach(() => void (directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-')))));
afterEach(async () => {
  await terminals.close();
  await manager.shutdown(0);
  rmSync(directory, { recursive: true, force: true });
});

function start(description: CommandPolicyDescription, ask?: AskForApproval): void {
  manager = new LocalTerminalManager({ killGraceMs: 300 });
  terminals = new AcpTerminals({ manager, policy: createCommandPolicy(description, { ask }) });
  terminals.openSession(SESSION, { cwd: directory });
}

const create = (command: string, args?: string[], more: object = {}) =>
  terminals.createTerminal({ sessionId: SESSION, command, ...(args && { args }), ...more });

describe('an agent under a policy', () => {
  it('runs what is allowed, as a program or as a line', async () => {
    start({ allow: ['seq', 'cat'] });
    for (const { terminalId } of [await create('seq', ['1']), await create('seq 1 | cat')]) {
      const asked = { sessionId: SESSION, terminalId };
      expect(await terminals.waitForTerminalExit(asked)).toMatchObject({ exitCode: 0 });
      expect((await terminals.terminalOutput(asked)).output).toBe('1\n');
    }
  });

  it('is told which rule refused the command, and starts nothing', async () => {
    start({ allow: ['seq'], deny: ['rm'], directories: [directory] });
    const canary = join(directory, 'canary');
    writeFileSync(canary, '');
    const refusals = [create('rm', [canary]), create(`seq 1; rm ${canary}`), create('bash', ['-lc', `rm ${canary}`])];
    for (const refusal of refusals) {
      await expect(refusal).rejects.toMatchObject({ code: 'COMMAND_DENIED', details: { rule: 'deny: rm' } });
    }
    await expect(create('seq', ['1'], { cwd: '/' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(create('seq', ['1'], { env: [{ name: 'LD_PRELOAD', value: 'x' }] })).rejects.toMatchObject({
      details: { rule: 'environment: LD_PRELOAD' },
    });
    expect(existsSync(canary)).toBe(true);
    expect(await manager.list()).toEqual([]);
  });

  it('runs the file that was checked, not another one that its path names as text', async () => {
    start({ allow: ['ls'], directories: [directory] });
    const depth = directory.split('/').length;
    const deep = 'd/'.repeat(depth);
    mkdirSync(join(directory, deep), { recursive: true });
    symlinkSync(deep, join(directory, 'link'));
    mkdirSync(join(directory, 'usr/bin'), { recursive: true });
    const canary = join(directory, 'canary');
    writeFileSync(join(directory, 'usr/bin/ls'), `#!/bin/sh\n: > ${canary}\n`, { mode: 0o755 });
    const own = `./link${'/..'.repeat(depth)}/usr/bin/ls`;
    for (const refusal of [create(own), create(own, ['x']), create(`${directory}/${own}`), create(`true; ${own}`)]) {
      await expect(refusal).rejects.toMatchObject({ code: 'COMMAND_DENIED', details: { rule: 'otherwise: deny' } });
    }
    expect(existsSync(canary)).toBe(false);
    await terminals.close();
    await manager.shutdown(0);
    start({ allow: [join(directory, 'usr/bin/ls')] });
    const { terminalId } = await create(own, ['x']);
    await terminals.waitForTerminalExit({ sessionId: SESSION, terminalId });
    expect(existsSync(canary)).toBe(true);
  });

  it('waits for a person’s approval, and starts nothing after it has disconnected', async () => {
    const caller = new AbortController();
    start({ ask: ['seq'] }, () => {
      caller.abort(new Error('cancelled'));
      return new Promise(() => {});
    });
    const waiting = terminals.createTerminal({ sessionId: SESSION, command: 'seq', args: ['1'] }, caller.signal);
    await expect(waiting).rejects.toThrow('cancelled');
    expect(await manager.list()).toEqual([]);
  });

  it('has its command ended at the time limit', async () => {
    start({ timeLimitMs: 1000 });
    const { terminalId } = await create('sleep', ['1000']);
    const exit = await terminals.waitForTerminalExit({ sessionId: SESSION, terminalId });
    expect(exit).toEqual({ exitCode: null, signal: 'SIGTERM', _meta: { tenacitty: { timeLimitMs: 1000 } } });
    const { exitStatus, output } = await terminals.terminalOutput({ sessionId: SESSION, terminalId });
    expect({ exitStatus, output }).toEqual({ exitStatus: exit, output: '' });
  });

  it('is not told of a time limit that did not end its command', async () => {
    start({ timeLimitMs: 60_000 });
    const { terminalId } = await create('sleep', ['1000']);
    await terminals.killTerminal({ sessionId: SESSION, terminalId });
    const exit = await terminals.waitForTerminalExit({ sessionId: SESSION, terminalId });
    expect(exit).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });
});
