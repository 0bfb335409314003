/**
 * Tests a host that hands its terminals to another process several times in a row: shells, screens, readers and pending
 * input continue without interruption, the exit of programs is reported, and a failing successor changes nothing.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TerminalDetail } from '../../src/contract/terminal.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { readUntil } from '../engine/engine-under-test.js';
import { endHosts, hostPids, newPlaces, openManager, untilGone } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { processesOf } from '../pty/remains.js';
import { fixture } from '../pty/program.js';
import { SubscriptionReader, CursorReader, FLOOD } from './flood.js';
import { descriptorsAtRest, expectDescriptors, openDescriptorsOf } from './process-state.js';
import { underLoad } from './load.js';
import { runs } from '../deep.js';
import { FAULT_RUNS, FAULT_TIMEOUT_MS, repeatedly } from './runs.js';
import { eventually } from '../eventually.js';

const SHELLS = runs({ normal: 20, deep: 50 });
/** Consecutive hand-offs of the same terminals. The first host remains their programs' parent throughout. */
const IN_A_ROW = Math.min(5, FAULT_RUNS);
const ROWS_OF_RUNS = Math.ceil(FAULT_RUNS / IN_A_ROW);
/** More than the kernel buffers, so that the rest waits in the host. */
const PENDING_BYTES = 300_000;
const FULL_SCREEN =
  '\\033[?1049h\\033[2J\\033[?1000h\\033[?2004h\\033[?25l\\033[?1h\\033=\\033[3;5H\\033[1;31mred\\033[9;3Hready\\033[4h';

let places: Places;
let manager: RemoteTerminalManager;
underLoad();
beforeEach(() => {
  places = newPlaces();
  manager = openManager(places, { maxHostTerminals: SHELLS + 10 });
});
afterEach(() => endHosts());

const sh = (script: string): Promise<TerminalDetail> => manager.create({ command: 'sh', args: ['-c', script] });

/** Performs a hand-off; returns the pid of the new host. */
async function handOff(): Promise<number> {
  const before = hostPids(places);
  const upgraded = await manager.upgradeHosts();
  expect(upgraded).toMatchObject([{ slot: 0, pid: expect.any(Number) }]);
  expect(hostPids(places)).toEqual([upgraded[0]!.pid]);
  expect(before).not.toContain(upgraded[0]!.pid);
  // The connection to the old host ends about now, and with it pending requests. A list is retried.
  await manager.list();
  return upgraded[0]!.pid;
}

describe(`a host that hands over ${IN_A_ROW} times in a row`, () => {
  it.each(Array.from({ length: ROWS_OF_RUNS }, (_, row) => [row]))(
    `keeps ${SHELLS} shells unchanged, and their readers (%i)`,
    async () => {
      const shells = await Promise.all(Array.from({ length: SHELLS }, (_, number) => openShell(number)));
      const hosts = hostPids(places);
      const cursors = new Map<string, string>();
      for (let round = 0; round < IN_A_ROW; round++) {
        hosts.push(await handOff());
        await Promise.all(shells.map((shell, number) => useShell(shell, number, round, cursors)));
      }
      await Promise.all(shells.map(({ id }) => manager.write(id, { input: 'exit $((mine % 7))' })));
      await Promise.all(shells.map(({ id }) => readUntil(manager, id, (_, { isActive }) => !isActive)));
      for (const [number, { id }] of shells.entries()) {
        expect(await manager.get(id)).toMatchObject({ status: 'exited', exitCode: number % 7, signal: null });
        expect(processesOf(id)).toEqual([]);
      }
      // Hosts that remained only as the parents of these shells are no longer needed.
      await Promise.all(hosts.slice(0, -1).map(untilGone));
      const open = (): string[] => openDescriptorsOf(hosts.at(-1)!).filter((target) => target.includes('ptmx'));
      await eventually(() => open().length === 0);
    },
    FAULT_TIMEOUT_MS,
  );

  it.each(Array.from({ length: ROWS_OF_RUNS }, (_, row) => [row]))(
    'loses nothing of a flood, of the screen, and of the input (%i)',
    async () => {
      const flood = await manager.create(FLOOD);
      const bytes = new SubscriptionReader();
      const following = follow(flood.id, bytes);
      const lines = new CursorReader();
      const screen = await sh(`stty -echo; printf '${FULL_SCREEN}'; read line`);
      await readUntil(manager, screen.id, () => true);
      await eventually(async () => (await manager.screen(screen.id)).lines.includes('  ready'));
      const shown = await manager.screen(screen.id, 'ansi');
      const { id, hash } = await openPending();
      for (let round = 0; round < IN_A_ROW; round++) {
        await handOff();
        const enough = lines.lines + 1000;
        while (lines.lines < enough) await lines.step((request) => manager.read(flood.id, request));
        expect(await manager.screen(screen.id, 'ansi')).toEqual(shown);
      }
      await manager.signal(id, { signal: 'SIGCONT', target: 'all' });
      expect(await readUntil(manager, id, (_, { isActive }) => !isActive)).toContain(hash);
      await manager.signal(flood.id, { signal: 'SIGUSR1' });
      await following;
      const { totalBytes, totalLines } = await manager.get(flood.id);
      expect(bytes).toMatchObject({ lines: totalLines, offset: totalBytes, exit: { exitCode: 3, signal: null } });
      await manager.kill(screen.id, { signal: 'SIGKILL' });
      expect(await manager.get(screen.id)).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    },
    FAULT_TIMEOUT_MS,
  );
});

it('keeps the holder of a terminal, and the last input of each writer', async () => {
  const { id } = await sh('stty -echo; echo begun; cat');
  await readUntil(manager, id, (text) => text.includes('begun'));
  const { token } = await manager.control(id, { action: 'take', name: 'Ada' });
  const type = (seq: number, hold = token!) =>
    manager.write(id, { input: `typed ${seq}` }, { order: { writer: 'w', seq }, hold });
  await type(1);
  await handOff();
  await expect(type(2, 'another')).rejects.toMatchObject({
    code: 'TERMINAL_HELD',
    details: { holder: { name: 'Ada' } },
  });
  for (const seq of [1, 2]) await type(seq);
  expect(await readUntil(manager, id, (text) => text.includes('typed 2'))).toMatch(/begun\s+typed 1\s+typed 2\s*$/);
});

it(
  'continues as before if the new process ends immediately',
  async () => {
    const shell = await openShell(0);
    const [host] = hostPids(places);
    const failing = openManager(places, { hostProgram: ['--eval', 'process.exit(1)'] });
    await failing.list();
    const before = await descriptorsAtRest(host!);
    const cursors = new Map<string, string>();
    await repeatedly(async (run) => {
      await expect(failing.upgradeHosts()).rejects.toMatchObject({ code: 'HOST_FAILED' });
      expect(hostPids(places)).toEqual([host]);
      await useShell(shell, 0, run, cursors);
    });
    await expectDescriptors(host!, before);
  },
  FAULT_TIMEOUT_MS,
);

/** Creates a shell with its own state. */
async function openShell(number: number): Promise<TerminalDetail> {
  const shell = await manager.create({ shell: '/bin/sh', env: { PS1: '$ ' } });
  await manager.write(shell.id, { input: `mine=${number}; echo mine is $mine.` });
  await readUntil(manager, shell.id, (text) => text.includes(`mine is ${number}.`));
  return shell;
}

/** Checks that it is the same shell, and that a cursor returns only new output. */
async function useShell(
  shell: TerminalDetail,
  number: number,
  round: number,
  cursors: Map<string, string>,
): Promise<void> {
  const { id, pid } = shell;
  expect(await manager.get(id)).toMatchObject({ pid, status: 'active' });
  await manager.write(id, { input: `echo round ${round} of $mine.` });
  const answer = `round ${round} of ${number}.`;
  const text = await readUntil(manager, id, (seen) => seen.includes(answer));
  expect(text.match(/mine is \d+\./g)).toHaveLength(1);
  const cursor = cursors.get(id);
  const page = await manager.read(id, cursor === undefined ? {} : { cursor });
  expect(page.output.match(/round \d+ of \d+\./g)).toEqual([answer]);
  cursors.set(id, page.cursor);
}

async function follow(id: string, reader: SubscriptionReader): Promise<void> {
  for await (const event of await manager.subscribe(id, 0)) reader.take(event);
}

/** Creates a stopped program with pending input, which prints the hash of its input later. */
async function openPending(): Promise<{ id: string; hash: string }> {
  const { id } = await manager.create({ command: fixture('raw-sha256'), args: [String(PENDING_BYTES)] });
  await readUntil(manager, id, (text) => text.includes('ready'));
  await manager.signal(id, { signal: 'SIGSTOP', target: 'all' });
  const input = randomBytes(PENDING_BYTES / 2).toString('hex');
  await manager.write(id, { input, raw: true });
  return { id, hash: createHash('sha256').update(input).digest('hex') };
}
