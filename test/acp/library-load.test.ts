/** A client that is killed: nothing of it stays for ever. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AcpTerminals, endAbandoned } from '../../src/acp.js';
import { stopEngines } from '../engine/engine-under-test.js';
import { endHosts, HOST_MAIN, newPlaces, openManager, untilGone } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';

const sessionId = 'sess_1';

afterEach(async () => {
  await stopEngines();
  await endHosts();
});

describe('a client that is killed', () => {
  const script = (places: Places) => `
    const { RemoteTerminalManager } = await import('${fileUrl('src/index.ts')}');
    const { AcpTerminals } = await import('${fileUrl('src/acp.ts')}');
    const places = ${JSON.stringify(places)};
    const manager = new RemoteTerminalManager({ ...places, hostProgram: ['${HOST_MAIN}'] });
    const terminals = new AcpTerminals({ manager });
    const { terminalId } = await terminals.createTerminal({ sessionId: 's', command: 'sleep 1000' });
    const { pid } = await manager.get(terminalId);
    console.log(JSON.stringify({ terminalId, pid }));`;

  it('leaves terminals until the next one comes, and that one ends no others', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const tsx = createRequire(import.meta.url).resolve('tsx');
    const args = ['--import', tsx, '--input-type=module', '-e', script(places)];
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

function fileUrl(path: string): string {
  return pathToFileURL(join(import.meta.dirname, '..', '..', path)).href;
}
