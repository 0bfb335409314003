/**
 * Kills the server while a client of a live connection types and watches, and starts a new one: the client goes on at
 * its offset, each of its inputs is typed once, and no byte is missing or comes twice.
 */
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { endHosts, newPlaces, openManager } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { LiveTypist } from '../http/live-typist.js';
import { runs } from '../deep.js';
import { killDoors, Server } from './doors.js';
import { anyNumber, FAULT_TIMEOUT_MS } from './runs.js';

const LOSSES = runs({ normal: 2, deep: 20 });
const INPUTS_BETWEEN = 20;

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
  'types each input once and shows each byte once, over servers that are killed',
  async () => {
    const script = `stty raw -echo; echo begun; head -n ${LOSSES * INPUTS_BETWEEN}; echo end`;
    const { id } = await manager.create({ command: '/bin/sh', args: ['-c', script] });
    await manager.wait(id, { text: 'begun', fromOffset: 0 });
    const typist = new LiveTypist(id, (seq) => `${seq}\n`);
    for (let loss = 0; loss < LOSSES; loss++) {
      const server = await Server.start(places);
      const answers = anyNumber(loss, 0, INPUTS_BETWEEN);
      await typist.type(server, INPUTS_BETWEEN, (client) => {
        if (client.all('ack').length >= answers) void server.murder();
        return false;
      });
    }
    await typist.type(await Server.start(places), 0, () => false);
    expect(typist.output.replaceAll('\r', '')).toBe(`begun\n${typist.expected}end\n`);
  },
  FAULT_TIMEOUT_MS,
);
