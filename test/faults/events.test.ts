/**
 * Kills the server while a client follows the events of all terminals, and starts a new one: the client continues after
 * the last event, and gets each event once.
 */
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { runs } from '../deep.js';
import { endHosts, newPlaces, openManager } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { EventClient } from '../http/event-client.js';
import { killDoors, Server } from './doors.js';
import { anyNumber, FAULT_TIMEOUT_MS } from './runs.js';

const LOSSES = runs({ normal: 2, deep: 20 });
const CHANGES_BETWEEN = 30;

let places: Places;
let manager: RemoteTerminalManager;
beforeEach(() => {
  places = newPlaces();
  manager = openManager(places);
});
afterEach(async () => {
  await killDoors();
  await endHosts();
});

it(
  'continues after the last event, also with the events of the time without a server',
  async () => {
    const { id } = await manager.create({ command: 'cat' });
    const seen: { readonly id: string; readonly change: number }[] = [];
    let changes = 0;
    const change = async (): Promise<void> =>
      void (await manager.update(id, { labels: { change: String(++changes) } }));
    let cursor: string | undefined;
    const follow = async (client: EventClient, count: number): Promise<void> => {
      while (seen.length < count) {
        const { event, id: at, data } = await client.next();
        expect(event).not.toBe('reset');
        cursor = at;
        if (event === 'changed') seen.push({ id: data.id, change: Number(data.terminal.labels.change) });
      }
    };
    for (let loss = 0; loss <= LOSSES; loss++) {
      const server = await Server.start(places);
      const headers = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
      const client = await EventClient.open(server.url, '/api/events', undefined, headers);
      cursor ??= (await client.next()).id;
      const making = (async () => {
        for (let count = 0; count < CHANGES_BETWEEN; count++) await change();
      })();
      const isLast = loss === LOSSES;
      await follow(
        client,
        isLast ? CHANGES_BETWEEN * (LOSSES + 1) : seen.length + 1 + anyNumber(loss, 1, CHANGES_BETWEEN),
      );
      await server.murder();
      client.leave();
      await making;
    }
    expect(seen.map((each) => each.change)).toEqual(Array.from({ length: changes }, (_, index) => index + 1));
    expect(new Set(seen.map((each) => each.id)).size).toBe(changes);
  },
  FAULT_TIMEOUT_MS,
);
