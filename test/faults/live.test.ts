/**
 * Kills the server while a client of a live connection types and watches, and starts a new one: the client goes on at
 * its offset, each of its inputs is typed once, and no byte is missing or comes twice.
 */
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { eventually } from '../eventually.js';
import { endHosts, newPlaces, openManager } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { LiveClient } from '../http/live-client.js';
import { runs } from '../deep.js';
import { killDoors, Server } from './doors.js';
import { anyNumber, FAULT_TIMEOUT_MS } from './runs.js';

const LOSSES = runs({ normal: 2, deep: 20 });
const INPUTS_BETWEEN = 20;
const WRITER = 'one client';

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

/** A client that repeats after a loss what was not acknowledged. */
class Typist {
  output = '';
  #seq = 0;
  #pending: { readonly type: 'input'; readonly writer: string; readonly seq: number; readonly text: string }[] = [];
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  /** Types, with repetitions first, and watches until the connection is lost; calls `then` after so many answers. */
  async typeThrough({ url }: Server, inputs: number, answers: number, then: () => void): Promise<void> {
    const client = await LiveClient.open(url, this.#id, { query: `from=${this.output.length}` });
    for (let typed = 0; typed < inputs; typed++) {
      const seq = ++this.#seq;
      this.#pending.push({ type: 'input', writer: WRITER, seq, text: `${seq}\n` });
    }
    for (const input of this.#pending) client.send(input);
    await eventually(() => client.all('ack').length >= answers);
    then();
    await client.closing();
    const last = client.all('ack').at(-1)?.seq ?? 0;
    this.#pending = this.#pending.filter(({ seq }) => seq > last);
    this.output += client.output;
  }

  get expected(): string {
    return Array.from({ length: this.#seq }, (_, index) => `${index + 1}\n`).join('');
  }
}

it(
  'types each input once and shows each byte once, over servers that are killed',
  async () => {
    const script = `stty raw -echo; echo begun; head -n ${LOSSES * INPUTS_BETWEEN}; echo end`;
    const { id } = await manager.create({ command: '/bin/sh', args: ['-c', script] });
    await manager.wait(id, { text: 'begun', fromOffset: 0 });
    const typist = new Typist(id);
    for (let loss = 0; loss < LOSSES; loss++) {
      const server = await Server.start(places);
      const answers = anyNumber(loss, 0, INPUTS_BETWEEN);
      await typist.typeThrough(server, INPUTS_BETWEEN, answers, () => void server.murder());
    }
    await typist.typeThrough(await Server.start(places), 0, 0, () => {});
    expect(typist.output.replaceAll('\r', '')).toBe(`begun\n${typist.expected}end\n`);
  },
  FAULT_TIMEOUT_MS,
);
