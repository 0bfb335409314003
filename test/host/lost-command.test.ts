/**
 * Tests that a command whose host is killed while it runs is reported as lost: not as ended, and without an exit code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { followProgram } from '../../src/calls/run-program.js';
import type { ProgramEvent } from '../../src/contract/program.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { historyDirectory } from '../../src/host/runtime-directory.js';
import { readUntil } from '../engine/engine-under-test.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from './host-under-test.js';
import type { Places } from './host-under-test.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';

const ROUNDS = runs({ normal: 2, deep: 5 });
/** Longer than anything here takes; the awaited events come long before. */
const PATIENCE_MS = 50_000;
const LOST = { completed: false, state: 'lost', exitCode: null, signal: null, via: null, shellExited: false };

let places: Places;
let manager: RemoteTerminalManager;
beforeEach(() => {
  places = newPlaces();
  manager = openManager(places);
});
afterEach(endHosts);

/** Kills the host once it has recorded the start of the command and its output. */
async function killHost(id: string): Promise<void> {
  await readUntil(manager, id, (shown) => /^begun$/m.test(shown));
  const file = join(historyDirectory(places.dataDir, 0), id, 'commands.jsonl');
  await eventually(() => existsSync(file) && readFileSync(file, 'utf8').includes('sleep'));
  await murder(hostPids(places)[0]!);
}

describe('a command whose host is killed', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => [round]))(
    'is lost for the callers that wait for it (%i)',
    async () => {
      const { id } = await manager.create({ shell: '/bin/bash', env: { HOME: places.root } });
      await manager.exec(id, { command: 'true' });
      const waiting = manager.exec(id, { command: 'echo be""gun; sleep 1000', timeoutMs: PATIENCE_MS });
      await killHost(id);
      expect(await waiting).toMatchObject({ ...LOST, commandId: 2, waiting: null });
      const { durationMs } = await manager.collect(id, 2, { timeoutMs: PATIENCE_MS });
      expect(await manager.collect(id, 2, { timeoutMs: PATIENCE_MS })).toMatchObject({ ...LOST, durationMs });
      expect(await manager.commands(id)).toMatchObject([
        { commandId: 1, state: 'completed', exitCode: 0, via: 'marker' },
        { commandId: 2, state: 'lost', exitCode: null, signal: null, via: null },
      ]);
      const [listed] = (await manager.list()).filter((one) => one.id === id);
      expect(listed!.lastCommand).toMatchObject({ commandId: 2, state: 'lost', exitCode: null });
    },
  );

  it('is not reported as lost if it had ended, or its shell had', async () => {
    const { id } = await manager.create({ shell: '/bin/bash', env: { HOME: places.root } });
    await manager.exec(id, { command: 'echo be""gun; exit 3' });
    const record = join(historyDirectory(places.dataDir, 0), id, 'terminal.json');
    await eventually(() => readFileSync(record, 'utf8').includes('"exit":{'));
    await murder(hostPids(places)[0]!);
    const [listed] = (await manager.list()).filter((one) => one.id === id);
    expect(listed!.lastCommand).toMatchObject({ text: 'echo be""gun; exit 3', state: 'completed', exitCode: 3 });
    expect(await manager.commands(id)).toMatchObject([{ state: 'completed', exitCode: 3, via: 'exit' }]);
  });
});

it('a program run without a shell is lost with its host, too', async () => {
  const events: ProgramEvent[] = [];
  for await (const event of followProgram(manager, { command: 'sleep', args: ['1000'], timeoutMs: PATIENCE_MS })) {
    events.push(event);
    if (event.event === 'started') await murder(hostPids(places)[0]!);
  }
  const data = { completed: false, state: 'lost', exitCode: null, signal: null };
  expect(events.at(-1)).toMatchObject({ event: 'result', data });
});
