/** Tests the overview of all terminals, wherever they are held. */
import { overviewTerminal } from '../../src/contract/overview.js';
import { BASH, MANAGERS, readUntilText, run, screenUntil, stopEngines } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';
import { overviewOf } from './asked.js';

afterEach(stopEngines);

const LONG = { timeoutMs: 60_000 };
const SHELL = { shell: '/bin/bash', env: { PS1: '$ ' } };
const LISTEN = 'require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })';

describe.each(MANAGERS)('an overview %s', (_where, startManager) => {
  it('contains what is shown of each terminal, oldest first', async () => {
    const manager = startManager();
    const shell = await manager.create({ ...SHELL, name: 'one', labels: { of: 'this' }, cols: 100, rows: 30 });
    await manager.exec(shell.id, { command: 'seq 20; (exit 3)' });
    await manager.wait(shell.id, { input: true, ...LONG });
    const ended = await run(manager, 'bash', '-c', 'echo the end; exit 4');
    await manager.wait(ended.id, LONG);
    const all = await manager.overview();
    expect(all.map((one) => overviewTerminal.parse(one))).toEqual(all);
    expect(all).toMatchObject([
      {
        ...{ id: shell.id, name: 'one', labels: { of: 'this' }, cols: 100, rows: 30, status: 'active' },
        ...{ viewers: 0, holder: null, waiting: null, ports: [], foreground: { name: 'bash' } },
        lastCommand: { commandId: 1, state: 'completed', exitCode: 3, ended: expect.any(String) },
      },
      {
        ...{ id: ended.id, status: 'exited', exitCode: 4, endedBy: { reason: 'exit' }, lastCommand: null },
        ...{ lines: ['the end'], totalLines: 1, foreground: null },
      },
    ]);
    expect(all[0]!.lines).toHaveLength(9);
    // The prompt follows.
    expect(all[0]!.lines.slice(0, 8)).toEqual(['13', '14', '15', '16', '17', '18', '19', '20']);
    expect(all[0]!.totalLines).toBe((await manager.get(shell.id)).totalLines);
  });

  it('shows lines in colour and of limited length, and the screen of a full-screen program', async () => {
    const manager = startManager();
    const coloured = await run(manager, 'bash', '-c', 'printf "\\033[31m%01500d" 1; cat');
    const full = await run(manager, 'bash', '-c', 'printf "line\\n\\033[?1049h\\033[2J\\033[3;5Hhere"; cat');
    await readUntilText(manager, coloured.id, '0001');
    await screenUntil(manager, full.id, ({ lines }) => lines[2] === '    here');
    const { lines } = await overviewOf(manager, coloured.id);
    expect(lines.map((line) => line.replaceAll(/\x1b\[(?:31|0)m/g, ''))).toEqual(['0'.repeat(1000)]);
    expect(lines[0]).toMatch(/^\x1b\[31m0.*0\x1b\[0m$/);
    const shown = await overviewOf(manager, full.id);
    expect(shown.lines).toHaveLength(24);
    expect(shown.lines[2]).toBe('    here');
    expect(shown.totalLines).toBe(1);
  });

  it('contains the ports on which programs listen', async () => {
    const manager = startManager();
    const idle = await manager.create(BASH);
    const { id } = await run(manager, process.execPath, '-e', LISTEN);
    const port = Number(await readUntilText(manager, id, /^\d+/m));
    await eventually(async () => (await overviewOf(manager, id)).ports.includes(port));
    const found = (await manager.overview()).map((one) => [one.id, one.ports]);
    expect(found).toEqual([
      [idle.id, []],
      [id, [port]],
    ]);
    await manager.kill(id);
    await eventually(async () => (await overviewOf(manager, id)).ports.length === 0);
  });

  it('can be limited to some terminals', async () => {
    const manager = startManager();
    const blue = await manager.create({ ...BASH, labels: { colour: 'blue', size: 'small' } });
    const red = await manager.create({ ...BASH, labels: { colour: 'red', size: 'small' } });
    const ended = await run(manager, 'true');
    await manager.wait(ended.id, LONG);
    const idsOf = async (request: Parameters<typeof manager.overview>[0]) =>
      (await manager.overview(request)).map(({ id }) => id);
    expect(await idsOf({ labels: { size: 'small' } })).toEqual([blue.id, red.id]);
    expect(await idsOf({ labels: { size: 'small', colour: 'red' } })).toEqual([red.id]);
    expect(await idsOf({ status: 'exited' })).toEqual([ended.id]);
    expect(await idsOf({ status: 'lost' })).toEqual([]);
    expect(await idsOf({ ids: [ended.id, blue.id, 'another'] })).toEqual([blue.id, ended.id]);
    expect(await idsOf({ ids: [] })).toEqual([]);
  });

  it('counts as no use of the terminals', async () => {
    const manager = startManager();
    const { id } = await manager.create(BASH);
    await manager.wait(id, { input: true, ...LONG });
    const { lastActivity } = await manager.get(id);
    await manager.overview();
    expect(await manager.get(id)).toMatchObject({ lastActivity });
  });
});
