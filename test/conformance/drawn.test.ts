/** Tests that a program waits for the client of its holder, and for no other, wherever its terminal is held. */
import type { TerminalManager } from '../../src/contract/manager.js';
import { eventually } from '../eventually.js';
import { MANAGERS, readUntilText, run, startInHost, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

afterEach(stopEngines);

const UNDRAWN = 256 << 10;
/** What may be read before the pause takes effect. */
const BUFFERS = 128 << 10;
const LINES = 100_000;

const endOf = async (manager: TerminalManager, id: string): Promise<number> => (await manager.get(id)).totalBytes;

async function take(manager: TerminalManager, id: string): Promise<{ readonly hold: string }> {
  const { token } = await manager.control(id, { action: 'take', name: 'Ada' });
  return { hold: token! };
}

/** A program that prints about 700 KB when Enter is typed. */
async function flooding(manager: TerminalManager): Promise<string> {
  const { id } = await run(manager, 'sh', '-c', `stty -echo; echo ready; read line; seq 1 ${LINES}; echo all`);
  await readUntilText(manager, id, 'ready');
  return id;
}

/** Lets the program print until it waits. */
async function held(manager: TerminalManager): Promise<{ id: string; mine: { readonly hold: string } }> {
  const id = await flooding(manager);
  const mine = await take(manager, id);
  await manager.drawn(id, await endOf(manager, id), mine);
  await manager.write(id, { keys: ['enter'] }, mine);
  await eventually(async () => (await endOf(manager, id)) > UNDRAWN);
  return { id, mine };
}

describe.each(MANAGERS)('a program %s', (_where, startManager) => {
  it('prints at most 256 KiB more than its holder has drawn', async () => {
    const manager = startManager();
    const { id, mine } = await held(manager);
    const isOver = async () => (await manager.get(id)).status !== 'active';
    for (let drawn = 0; !(await isOver());) {
      const end = await endOf(manager, id);
      expect(end).toBeLessThan(drawn + UNDRAWN + BUFFERS);
      drawn = Math.min(end, drawn + 100_000);
      await manager.drawn(id, drawn, mine);
      await eventually(async () => (await endOf(manager, id)) > drawn || (await isOver()));
    }
    expect(await manager.get(id)).toMatchObject({ exitCode: 0 });
    expect(await readUntilText(manager, id, 'all')).toContain(`\n${LINES}\n`);
  });

  it.each([
    ['hands the terminal back', (manager, id, mine) => manager.control(id, { action: 'release' }, mine)],
    ['draws no more', (manager, id, mine) => manager.drawn(id, null, mine)],
    ['loses the terminal to another caller', (manager, id) => manager.control(id, { action: 'take', name: 'Grace' })],
  ] as [string, (manager: TerminalManager, id: string, mine: { hold: string }) => Promise<unknown>][])(
    'goes on when its holder %s',
    async (_how, act) => {
      const manager = startManager();
      const { id, mine } = await held(manager);
      expect(await endOf(manager, id)).toBeLessThan(UNDRAWN + BUFFERS);
      await act(manager, id, mine);
      await readUntilText(manager, id, 'all');
    },
  );

  it('waits for no one but its holder', async () => {
    const manager = startManager();
    const id = await flooding(manager);
    await manager.drawn(id, 0);
    const mine = await take(manager, id);
    await expect(manager.drawn(id, 0)).rejects.toEqual(error('TERMINAL_HELD'));
    await expect(manager.drawn(id, -1, mine)).rejects.toEqual(error('INVALID_INPUT'));
    await manager.write(id, { keys: ['enter'] }, mine);
    await readUntilText(manager, id, 'all');
  });

  it('of a shell is known to run until its end is read', async () => {
    const manager = startManager();
    const { id } = await manager.create({ shell: '/bin/bash', env: { PS1: '$ ' } });
    await manager.exec(id, { command: 'true' });
    const mine = await take(manager, id);
    const before = await endOf(manager, id);
    await manager.drawn(id, before, mine);
    // It ends although the last of its output, and its end, are not read.
    const command = `head -c ${before + UNDRAWN + 5000} /dev/zero | tr '\\0' x; (exit 7)`;
    const { commandId } = await manager.exec(id, { command, detach: true }, mine);
    await eventually(async () => (await endOf(manager, id)) > before + UNDRAWN);
    const soon = await manager.collect(id, commandId, { timeoutMs: 2000, tailLines: 0 });
    expect(soon).toMatchObject({ completed: false, state: 'running', exitCode: null, waiting: null });
    await manager.drawn(id, await endOf(manager, id), mine);
    const ended = await manager.collect(id, commandId, { timeoutMs: 10_000, tailLines: 0 });
    expect(ended).toMatchObject({ completed: true, exitCode: 7, via: 'marker' });
  });
});

it('does not wait for ever when its terminal is handed to another host', async () => {
  const manager = startInHost({ maxTerminals: 10 });
  const { id, mine } = await held(manager);
  await manager.upgradeHosts();
  await readUntilText(manager, id, 'all');
  await manager.drawn(id, await endOf(manager, id), mine);
  expect((await manager.get(id)).holder).toMatchObject({ name: 'Ada' });
});

it('goes on, whoever has paused it, if its holder is silent', async () => {
  const manager = startInHost({ maxHolderSilenceMs: 500 });
  const { id } = await held(manager);
  await readUntilText(manager, id, 'all');
});
