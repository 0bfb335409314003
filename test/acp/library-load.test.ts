/** Tests much output, and a killed client: memory stays within its limits, and nothing is left behind permanently. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AcpTerminals, endAbandoned } from '../../src/acp.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { retainedBytes, retainedOnceBelow } from '../engine/memory.js';
import { endHosts, HOST_MAIN, newPlaces, openManager, untilGone } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { builtUrl } from '../build.js';
import { nextTurn } from '../eventually.js';
import { runs } from '../deep.js';

const sessionId = 'sess_1';
const MIB = 1 << 20;
/** Seconds for the engine, but minutes on a machine with ten times as much to do. */
const FLOOD_TIMEOUT_MS = 5 * 60_000;

afterEach(async () => {
  await stopEngines();
  await endHosts();
});

it.each([
  ['raw', runs({ normal: 20, deep: 100 })],
  ['text', runs({ normal: 5, deep: 20 })],
] as const)(
  'holds no more than the allowed part of a large output while it is polled: %s, %d MB',
  async (output, megabytes) => {
    // Enough lines that the byte limit applies.
    const manager = startEngine({ maxBufferBytes: MIB, maxBufferLines: 100_000 });
    const terminals = new AcpTerminals({ manager, output });
    // Load what is loaded on first use before measuring; it does not depend on the amount of output.
    await manager.wait((await manager.create({ command: 'true' })).id);
    const before = retainedBytes();
    const command = `yes 0123456789abcdefghijklmnopqrstuvwxyz | head -c ${megabytes * 37 * 27027}; echo the end`;
    const id = { sessionId, ...(await terminals.createTerminal({ sessionId, command, outputByteLimit: MIB })) };
    const waiting = terminals.waitForTerminalExit(id);
    let isOver = false;
    void waiting.then(() => (isOver = true));
    while (!isOver) {
      expect((await terminals.terminalOutput(id)).output.length).toBeLessThanOrEqual(MIB);
      // As often as agents poll.
      await manager.wait(id.terminalId, { timeoutMs: 250 });
      // After the end, nothing is awaited any more, so its last output needs a turn of the event loop.
      await nextTurn();
    }
    const { output: said, truncated } = await terminals.terminalOutput(id);
    expect({ truncated, end: said.trimEnd().slice(-20) }).toEqual({
      truncated: true,
      end: 'opqrstuvwxyz\nthe end',
    });
    expect(said.length).toBeGreaterThan(0.9 * MIB);
    // The engine's history, the bytes kept for the agent, and the text decoded from them.
    const limit = before + 10 * MIB;
    expect(await retainedOnceBelow(limit)).toBeLessThan(limit);
    await terminals.close();
  },
  FLOOD_TIMEOUT_MS,
);

describe('a client that is killed', () => {
  const script = (places: Places) => `
    const { RemoteTerminalManager } = await import('${builtUrl('index.js')}');
    const { AcpTerminals } = await import('${builtUrl('acp.js')}');
    const { dataDir, runtimeDir } = ${JSON.stringify(places)};
    const manager = new RemoteTerminalManager({ dataDir, runtimeDir, hostProgram: ['${HOST_MAIN}'] });
    const terminals = new AcpTerminals({ manager });
    const { terminalId } = await terminals.createTerminal({ sessionId: 's', command: 'sleep 1000' });
    const { pid } = await manager.get(terminalId);
    console.log(JSON.stringify({ terminalId, pid }));`;

  it('leaves terminals until the next client starts, which ends only those', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const args = ['--input-type=module', '-e', script(places)];
    const killed = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(killed.stdout, 'data')) as [Buffer];
    const left = JSON.parse(line.toString()) as { terminalId: string; pid: number };

    const others = new AcpTerminals({ manager });
    const { terminalId: used } = await others.createTerminal({ sessionId, command: 'sleep 1000' });
    const { id: unrelated } = await manager.create({ command: 'sleep', args: ['1000'] });
    await endAbandoned(manager);
    expect(await ids()).toEqual([left.terminalId, used, unrelated].sort());

    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await manager.get(left.terminalId)).toMatchObject({ status: 'active' });
    const next = new AcpTerminals({ manager });
    const { terminalId: new1 } = await next.createTerminal({ sessionId, command: 'sleep 1000' });
    await untilGone(left.pid);
    await next.close();
    expect(new1).not.toBe(left.terminalId);
    expect(await ids()).toEqual([used, unrelated].sort());

    async function ids(): Promise<string[]> {
      return (await manager.list()).map(({ id }) => id).sort();
    }
  });
});
