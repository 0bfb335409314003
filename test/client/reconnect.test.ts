/** Tests that the client survives the server: killed and started again, it reconnects by itself and misses nothing. */
import { TenacittyClient } from '../../src/client/index.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { runs } from '../deep.js';
import { eventually } from '../eventually.js';
import { killDoors, Server } from '../faults/doors.js';
import { anyNumber, FAULT_TIMEOUT_MS } from '../faults/runs.js';
import { endHosts, newPlaces, openManager, type Places } from '../host/host-under-test.js';
import { LiveProxy } from '../http/live-proxy.js';

const LOSSES = runs({ normal: 2, deep: 10 });
const INPUTS_BETWEEN = 20;

let places: Places;
let manager: RemoteTerminalManager;
let proxy: LiveProxy | undefined;
beforeEach(() => {
  places = newPlaces();
  manager = openManager(places);
});
afterEach(async () => {
  proxy?.close();
  await killDoors();
  await endHosts();
});

/** The proxy leads to it, whatever port it got. */
async function startServer(): Promise<Server> {
  const server = await Server.start(places);
  proxy ??= await LiveProxy.open(server.port);
  proxy.target = server.port;
  return server;
}

it(
  'types each input once and shows each byte once, over servers that are killed',
  async () => {
    const { id } = await manager.create({ command: '/bin/sh', args: ['-c', 'stty raw -echo; printf begun; exec cat'] });
    await manager.wait(id, { text: 'begun', fromOffset: 0 });
    let server = await startServer();
    let output = '';
    const states: string[] = [];
    // Only its WebSockets go through the proxy; a request that asks why one failed gets no answer.
    const live = new TenacittyClient({ url: 'http://127.0.0.1:1' }).live(id, {
      WebSocket: proxy!.Through,
      from: 0,
      onOutput: (bytes) => void (output += Buffer.from(bytes).toString()),
      onSnapshot: () => void states.push('snapshot'),
      onState: (state) => void states.push(state),
    });
    const typed: Promise<void>[] = [];
    const type = () => typed.push(live.type(`<${typed.length}>`));
    for (let loss = 0; loss < LOSSES; loss++) {
      await eventually(() => states.at(-1) === 'open');
      for (let input = 0; input < INPUTS_BETWEEN; input++) type();
      await typed.at(-1 - anyNumber(loss, 0, INPUTS_BETWEEN));
      await server.murder();
      await eventually(() => states.at(-1) === 'lost');
      type();
      server = await startServer();
    }
    await Promise.all(typed);
    const expected = `begun${typed.map((_, index) => `<${index}>`).join('')}`;
    await eventually(() => output.length >= expected.length, { missing: () => output });
    expect(output).toBe(expected);
    expect(states.filter((state) => state !== 'lost')).toEqual(Array(LOSSES + 1).fill('open'));
    live.close();
  },
  FAULT_TIMEOUT_MS,
);
