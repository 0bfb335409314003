/**
 * Kills the server, and another process that holds a manager, in the middle of a flood that three readers follow, and
 * starts a new one: the program is unaffected, and no reader misses a line or gets one twice.
 */
import type { TerminalSummary } from '../../src/contract/terminal.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { endHosts, hostPids, newPlaces, openManager } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { descriptorsAtRest, expectDescriptors } from './process-state.js';
import { killDoors, Server, Subscriber } from './doors.js';
import { SubscriptionReader, CursorReader, PACED_FLOOD, SinceReader } from './flood.js';
import { underLoad } from './load.js';
import { runs } from '../deep.js';
import { anyNumber, FAULT_TIMEOUT_MS, repeatedly } from './runs.js';
import { eventually } from '../eventually.js';

/** Maximum number of lines that each reader has read from a server when it is killed. */
const MAX_LINES_BEFORE = runs({ normal: 3000, deep: 10_000 });
/** Minimum number of lines that the program writes while there is no server. */
const LINES_BETWEEN = 1000;

let places: Places;
let manager: RemoteTerminalManager;
underLoad();
beforeEach(() => {
  places = newPlaces();
  manager = openManager(places);
});
afterEach(async () => {
  await killDoors();
  await endHosts();
});

/** Three readers of one flood, through processes that come and go. */
class Readers {
  readonly since = new SinceReader();
  readonly cursor = new CursorReader();
  readonly bytes = new SubscriptionReader();
  readonly #id: string;
  #onProgress: (failure?: Error) => void = () => {};

  constructor(id: string) {
    this.#id = id;
  }

  get lines(): number {
    return Math.min(this.since.lines, this.cursor.lines, this.bytes.lines);
  }

  /** Resolves when each of them has read this far. */
  reach(lines: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onProgress = (failure) => {
        if (failure !== undefined) reject(failure);
        else if (this.lines >= lines) resolve();
      };
    });
  }

  /** Follows by requests until one fails, or the program has ended and everything is read. */
  async followBy(server: Server): Promise<void> {
    await Promise.all([this.since, this.cursor].map((reader) => this.#follow(reader, server)));
  }

  async #follow(reader: SinceReader | CursorReader, server: Server): Promise<void> {
    for (let isMore = true; isMore;) {
      const page = await reader.step((request) => server.read(this.#id, request));
      isMore = page.isActive || page.hasMore;
      this.#onProgress();
    }
  }

  subscriber(): Subscriber {
    return new Subscriber(places, this.#id, this.bytes.offset, (event) => {
      try {
        this.bytes.take(event);
        this.#onProgress();
      } catch (error) {
        this.#onProgress(error as Error);
      }
    });
  }
}

/**
 * Kills a new server and a new process that holds a manager, once each reader has read this many lines through them.
 */
async function killInFlood(readers: Readers, { id, pid }: TerminalSummary, lines: number): Promise<void> {
  const subscriber = readers.subscriber();
  const server = await Server.start(places);
  await manager.signal(id, { signal: 'SIGCONT' });
  expect(await server.list()).toMatchObject([{ id, pid, status: 'active' }]);
  const far = readers.reach(readers.lines + lines);
  // Requests are pending when the server is killed, so they are expected to fail.
  const end = readers.followBy(server).catch((error: Error) => error);
  await Promise.race([far, end.then((error) => Promise.reject(error ?? new Error('the flood has ended')))]);
  await Promise.all([server.murder(), subscriber.murder()]);
  expect(await end).toMatchObject({ message: expect.stringMatching(/ECONNRESET|ECONNREFUSED|hang up|aborted/) });
}

/**
 * Lets the program continue without a server. It then pauses until the next server, so that readers need not catch up
 * with all its lines.
 */
async function goOnAlone(id: string): Promise<void> {
  const { totalLines } = await manager.get(id);
  await eventually(async () => (await manager.get(id)).totalLines >= totalLines + LINES_BETWEEN);
  await manager.signal(id, { signal: 'SIGSTOP' });
}

async function readToEnd(readers: Readers, id: string): Promise<void> {
  const subscriber = readers.subscriber();
  const server = await Server.start(places);
  await manager.signal(id, { signal: 'SIGCONT' });
  await manager.signal(id, { signal: 'SIGUSR1' });
  await Promise.all([subscriber.ended, readers.followBy(server)]);
  const { totalLines, totalBytes } = await manager.get(id);
  expect(readers).toMatchObject({ since: { lines: totalLines }, cursor: { lines: totalLines - 1, rewrites: 0 } });
  expect(readers.bytes).toMatchObject({ lines: totalLines, offset: totalBytes, isEnded: true });
  expect(readers.bytes.exit).toEqual({ exitCode: 3, signal: null });
}

it(
  'loses and repeats no line if the server is killed in a flood and started again',
  async () => {
    const terminal = await manager.create(PACED_FLOOD);
    const [host] = hostPids(places);
    const before = await descriptorsAtRest(host!);
    const readers = new Readers(terminal.id);
    await repeatedly(async (run) => {
      await killInFlood(readers, terminal, 1 + anyNumber(run, 0, MAX_LINES_BEFORE));
      expect(hostPids(places)).toEqual([host]);
      await goOnAlone(terminal.id);
      // The killed processes have left nothing behind in the host.
      await expectDescriptors(host!, before);
    });
    await readToEnd(readers, terminal.id);
  },
  FAULT_TIMEOUT_MS,
);
