/** Tests that a command's output is rendered on a screen of the size that the terminal had, wherever it is held. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalManager } from '../../src/contract/manager.js';
import type { CreateTerminal } from '../../src/contract/terminal.js';
import { MANAGERS, stopEngines } from '../engine/engine-under-test.js';

/** Reached only if the test fails. */
const LONG = { timeoutMs: 60_000 };
/** More commands than are kept rendered. */
const OTHERS = 5;

let directory: string;
let SHELL: CreateTerminal;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-resized-'));
  SHELL = { shell: '/bin/bash', cwd: directory, env: { HOME: directory }, cols: 80, rows: 24 };
});
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

/** Prints at the right margin, which the cursor cannot pass and which therefore shows the width. */
const MARGIN = String.raw`printf '\033[60G|\n'`;
const at = (column: number): string => `${' '.repeat(column - 1)}|`;

async function fillRendered(manager: TerminalManager, id: string): Promise<void> {
  for (let other = 0; other < OTHERS; other++) await manager.exec(id, { command: 'true', ...LONG });
}

describe.each(MANAGERS)('a command in a terminal %s', (_where, startManager) => {
  it('is rendered with each size that it had, for readers during the command and after it', async () => {
    const manager = startManager();
    const { id } = await manager.create(SHELL);
    const wait = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
    const command = `${MARGIN}; ${wait('one')}; ${MARGIN}; ${wait('two')}; ${MARGIN}`;
    const { commandId } = await manager.exec(id, { command, detach: true, ...LONG });
    await manager.wait(id, { text: '|\n', fromOffset: 0, ...LONG });
    expect(await manager.readCommand(id, commandId)).toMatchObject({ output: at(60) });
    const { offset } = await manager.wait(id, { idleMs: 1, ...LONG });
    await manager.resize(id, { cols: 62, rows: 10 });
    await manager.resize(id, { cols: 40, rows: 10 });
    writeFileSync(join(directory, 'one'), '');
    await manager.wait(id, { text: '|\n', fromOffset: offset, ...LONG });
    await manager.resize(id, { cols: 100, rows: 30 });
    writeFileSync(join(directory, 'two'), '');
    const lines = [at(60), at(40), at(60)].join('\n');
    expect((await manager.collect(id, commandId, LONG)).output).toBe(lines);
    await manager.resize(id, { cols: 20, rows: 5 });
    await fillRendered(manager, id);
    expect((await manager.readCommand(id, commandId)).output).toBe(lines);
    expect((await manager.exec(id, { command: MARGIN, ...LONG })).output).toBe(at(20));
    // The sizes are internal and not part of a command's details.
    expect(Object.keys(await manager.command(id, commandId))).not.toContain('sizes');
  });
});
