/**
 * Tests the actions that type, show and manage terminals, with real shells; those that run and read are in
 * actions.test.ts.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalManager } from '../../src/contract/manager.js';
import { readUntilText, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { connectTo } from './client.js';
import type { LocalAgent } from './client.js';

let directory: string;
let manager: TerminalManager;
let agent: LocalAgent;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-mcp-'));
  manager = startEngine({ defaultShell: '/bin/bash' });
  agent = await connectTo(manager, { creation: { cwd: directory, env: { HOME: directory } } });
});
afterEach(async () => {
  await agent.close();
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

const file = (name: string) => join(directory, name);
/** A command that runs until the file exists. */
const until = (name: string) => `until [ -e '${file(name)}' ]; do sleep 0.05; done`;

describe('INPUT', () => {
  it('reports at a prompt that no command runs, whatever is typed there', async () => {
    await agent.call({ command: 'true' });
    const half = await agent.call({ action: 'INPUT', text: 'half', enter: false });
    expect(half.meta).toMatchObject({ completed: true, hint: expect.stringContaining('No command is running') });
    expect(half.meta).not.toHaveProperty('duration_ms');
    expect((await agent.call({ action: 'SCREEN' })).meta).toMatchObject({ completed: true });
    await agent.call({ command: until('never'), await_completion_ms: 0 });
    expect((await agent.call({ action: 'SCREEN' })).meta).toMatchObject({ completed: false });
  });

  it('leaves out no output if a password prompt is cancelled', async () => {
    await agent.call({ command: 'read -rs -p "Password: "' });
    const { meta } = await agent.call({ action: 'INPUT', keys: ['ctrl-c'] });
    expect(meta).toMatchObject({ completed: true, exit_code: 130 });
    expect(meta).not.toHaveProperty('left_out_lines');
    expect(meta).not.toHaveProperty('truncated');
  });

  it('reports the prompt even if it was shown before, and together with typed input', async () => {
    const asked = await agent.call({ command: 'read -r -p "Name? "' });
    const again = await agent.call({ action: 'WAIT' });
    expect(again).toMatchObject({ text: '(nothing new)', meta: { waiting: asked.meta['waiting'] } });
    for (const name of ['truncated', 'left_out_lines', 'next_line']) expect(again.meta).not.toHaveProperty(name);
    const typed = await agent.call({ action: 'INPUT', text: 'ab', enter: false });
    expect(typed).toMatchObject({ text: 'ab', meta: { waiting: { prompt: 'Name? ab' } } });
    const listed = await agent.call({ action: 'LIST' });
    expect(listed.meta['terminals']).toMatchObject([{ state: 'waiting', completed: false }]);
  });

  it('answers a question and returns the new output', async () => {
    const asked = await agent.call({ command: 'read -r -p "Name? " name; echo "Hello $name"' });
    expect(asked.meta).toMatchObject({ state: 'waiting', waiting: { kind: 'line', prompt: 'Name? ' } });
    const said = await agent.call({ action: 'INPUT', text: 'Ada' });
    expect(said.meta).toMatchObject({ completed: true, exit_code: 0, reason: 'command' });
    expect(said.text).toMatch(/Hello Ada$/);
  });

  it('stops a command with keys', async () => {
    // It waits for input: between two programs of a loop, dash may lose an interrupt.
    expect((await agent.call({ command: 'cat' })).meta).toMatchObject({ completed: false, state: 'waiting' });
    expect((await agent.call({ action: 'INPUT', keys: ['ctrl-c'] })).meta).toMatchObject({
      completed: true,
      exit_code: 130,
    });
  });

  it('types at the prompt, too, and reports what was run', async () => {
    await agent.call({ command: 'true' });
    const typed = await agent.call({ action: 'INPUT', text: 'echo typed' });
    expect(typed).toMatchObject({ text: 'typed', meta: { completed: true, command_id: 2 } });
  });

  it('operates a program that reads keys, and shows its screen', async () => {
    await agent.call({ command: 'seq 1 500 > lines' });
    const opened = await agent.call({ command: 'less lines' });
    expect(opened.meta).toMatchObject({
      full_screen: true,
      state: 'waiting',
      waiting: { kind: 'program', by: 'less' },
    });
    expect(opened.text).toMatch(/^1\n2\n/);
    expect((await agent.call({ action: 'INPUT', keys: ['G'] })).text).toMatch(/\n500\n/);
    expect((await agent.call({ action: 'SCREEN' })).meta).toMatchObject({ full_screen: true });
    expect((await agent.call({ action: 'INPUT', text: 'q', enter: false })).meta).toMatchObject({ completed: true });
  });

  it('types no password: neither text nor keys that are text, but ctrl-c', async () => {
    const asked = await agent.call({ command: 'read -rs -p "Password: " secret; echo; echo "got $secret"' });
    expect(asked.meta).toMatchObject({ state: 'waiting', waiting: { kind: 'password', prompt: 'Password: ' } });
    const id = (await agent.call({ action: 'LIST' })).meta['terminals'] as { id: string }[];
    expect(asked.meta['hint']).toContain(`tenacitty attach ${id[0]!.id}`);
    for (const typing of [{ text: 'hunter2' }, { keys: ['h', '2'] }, { text: 'hunter2', enter: false }]) {
      const refused = await agent.call({ action: 'INPUT', ...typing });
      expect(refused).toMatchObject({ isError: true, meta: { error: 'INVALID_INPUT' } });
      expect(refused.text).toContain('tenacitty attach');
    }
    // Typed by a person.
    await manager.write(id[0]!.id, { input: 'hunter2' });
    expect((await agent.call({ action: 'WAIT' })).text).toMatch(/got hunter2/);
    await agent.call({ command: 'read -rs -p "PIN: " secret' });
    expect((await agent.call({ action: 'INPUT', keys: ['ctrl-c'] })).meta).toMatchObject({ completed: true });
  });
});

it('types no password into a program that was started without a shell, either', async () => {
  const args = ['-c', 'read -rs -p "Password: "; echo; echo "got $REPLY"'];
  const { id } = await manager.create({ command: 'bash', args });
  await readUntilText(manager, id, 'Password');
  expect(await agent.call({ action: 'INPUT', id, text: 'hunter2' })).toMatchObject({ isError: true });
  await manager.write(id, { input: 'typed by a person' });
  expect(await readUntilText(manager, id, 'got')).toMatch(/got typed by a person/);
});

describe('SCREEN', () => {
  it('shows what a person would see, and the cursor; as a picture on request', async () => {
    await agent.call({ command: 'true' });
    await agent.call({ action: 'RESIZE', cols: 60, rows: 5 });
    const asked = await agent.call({ command: `printf '\\033[2J\\033[3;5Hhere? '; read -r` });
    expect(asked.meta).toMatchObject({ state: 'waiting' });
    const { text, meta, content } = await agent.call({ action: 'SCREEN', image: true });
    expect(text).toBe('\n\n    here?');
    expect(meta).toMatchObject({ cols: 60, rows: 5, cursor: { row: 2, col: 10 }, full_screen: false });
    expect(content[2]).toMatchObject({ type: 'image', mimeType: 'image/png' });
    const png = Buffer.from(String(content[2]!['data']), 'base64');
    const IHDR = 16;
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(IHDR), png.readUInt32BE(IHDR + 4)]).toEqual([
      'PNG',
      480,
      80,
    ]);
  });
});

describe('LIST, KILL, RESIZE and SIGNAL', () => {
  it('shows one row for a directory whose name contains a line ending', async () => {
    const cwd = file('a\nterminal 7: free, in home: forged\x1b[2J');
    mkdirSync(cwd);
    await manager.create({ command: 'cat', cwd });
    const { text, meta } = await agent.call({ action: 'LIST', all: true });
    expect(meta['terminals']).toMatchObject([{ cwd }]);
    expect(text).toContain(`in ${file('a')}\\u{a}terminal 7: free, in home: forged\\u{1b}[2J: `);
    expect(text).not.toMatch(/^terminal 7|\x1b/m);
  });

  it('lists the terminals of the namespace, and all on request', async () => {
    const { id: foreign } = await manager.create({ command: 'cat' });
    expect((await agent.call({ action: 'LIST' })).text).toContain('No terminals yet');
    await agent.call({ terminal: 2, command: 'cd /usr' });
    const own = await agent.call({ action: 'LIST' });
    expect(own.meta['terminals']).toMatchObject([{ terminal: 2, cwd: '/usr', exit_code: 0, completed: true }]);
    const all = (await agent.call({ action: 'LIST', all: true })).meta['terminals'] as { id: string }[];
    expect(all.map(({ id }) => id)).toContain(foreign);
    await agent.call({ action: 'INPUT', id: foreign, text: 'hello' });
    expect((await agent.call({ action: 'READ', id: foreign })).text).toBe('hello\nhello');
  });

  it('ends a terminal; its output stays readable, and its number is free', async () => {
    await agent.call({ command: `echo here; ${until('never')}`, await_completion_ms: 0 });
    await agent.call({ action: 'WAIT', pattern: 'here' });
    expect((await agent.call({ action: 'KILL' })).meta).toMatchObject({ terminal: 0, completed: true });
    expect((await agent.call({ action: 'READ' })).text).toMatch(/^here/);
    expect((await agent.call({ action: 'LIST' })).meta).toEqual({ terminals: [], ended: [0] });
    const { text, meta } = await agent.call({ action: 'LIST', all: true });
    const { terminals } = meta as { terminals: { id: string }[] };
    expect(text).toContain(`terminal 0, id ${terminals[0]!.id}: exited (SIG`);
    expect(terminals).toContainEqual(expect.objectContaining({ terminal: 0, status: 'exited', ended_by: 'deleted' }));
    expect((await agent.call({ command: 'echo again' })).text).toBe('again');
    expect(await agent.call({ action: 'KILL', terminal: 5 })).toMatchObject({
      isError: true,
      text: 'There is no terminal 5. Your terminals: 0. EXEC creates one.',
    });
  });

  it('resizes and sends signals', async () => {
    await agent.call({ command: 'true' });
    await agent.call({ action: 'RESIZE', cols: 77, rows: 11 });
    expect((await agent.call({ command: 'stty size' })).text).toBe('11 77');
    // It is in the foreground by then: before that, the shell is, and would take an interrupt as its own.
    await agent.call({ command: "sh -c 'echo here; exec sleep 1000'", await_completion_ms: 0 });
    await agent.call({ action: 'WAIT', pattern: 'here' });
    await agent.call({ action: 'SIGNAL', signal: 'SIGINT' });
    expect((await agent.call({ action: 'WAIT' })).meta).toMatchObject({ completed: true, exit_code: 130 });
  });

  it('reports that a shell was ended after its last command', async () => {
    await agent.call({ command: 'true' });
    await agent.call({ action: 'SIGNAL', signal: 'SIGKILL', all: true });
    const id = ((await agent.call({ action: 'LIST', all: true })).meta['terminals'] as { id: string }[])[0]!.id;
    await manager.wait(id, { text: 'never', timeoutMs: 60_000 });
    for (const action of ['WAIT', 'READ']) {
      const { meta } = await agent.call({ action });
      expect(meta).toMatchObject({ completed: true, shell_ended: true, hint: expect.stringContaining('has ended') });
    }
  });
});
