/**
 * Tests what happens to terminals whose client has gone: idle shells end, unless a client of the same namespace has
 * returned.
 */
import type { EndedBy } from '../../src/contract/ending.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { Workspace } from '../../src/mcp/workspace.js';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { clearSharedPlaces, openManager, sharedPlaces } from '../host/host-under-test.js';
import { eventually } from '../eventually.js';
import { Agent } from './client.js';

const TIMEOUT_MS = 1500;
const { signal } = new AbortController();

afterEach(clearSharedPlaces);

/** A client and its server process, which can be killed. */
class Client {
  readonly manager: TerminalManager = openManager(sharedPlaces());
  readonly #workspace: Workspace;

  constructor(namespace: string) {
    const presence = { connection: { timeoutMs: TIMEOUT_MS, ends: 'idle' }, everyMs: TIMEOUT_MS / 10 } as const;
    this.#workspace = new Workspace(this.manager, { namespace, presence, creation: { shell: '/bin/bash' } });
    this.leave = this.#workspace.presence.hold();
  }

  /** As if its process was killed. */
  readonly leave: () => void;

  /** Starts a shell that has run a command. */
  async shell(number: number): Promise<string> {
    const { id } = await this.#workspace.numbers.open(number, this.manager, signal);
    await this.manager.exec(id, { command: 'true' });
    return id;
  }
}

async function untilEnded(manager: TerminalManager, id: string): Promise<EndedBy> {
  let endedBy: EndedBy | null = null;
  await eventually(async () => (endedBy = (await manager.get(id)).endedBy) !== null);
  return endedBy!;
}

it('ends idle shells of a client that has gone, but nothing that runs or that another client uses', async () => {
  const [one, other] = [new Client('one'), new Client('other')];
  const [idle, running, others] = [await one.shell(0), await one.shell(1), await other.shell(0)];
  await one.manager.exec(running, { command: 'sleep 1000', detach: true });
  one.leave();
  expect(await untilEnded(other.manager, idle)).toMatchObject({ reason: 'connection_closed' });
  for (const id of [running, others]) expect((await other.manager.get(id)).status).toBe('active');
  other.leave();
});

it('ends none of a client that has returned', async () => {
  const first = new Client('same');
  const kept = await first.shell(0);
  first.leave();
  const again = new Client('same');
  const lost = new Client('lost');
  const idle = await lost.shell(0);
  lost.leave();
  // It is at least as old as the other.
  await untilEnded(again.manager, idle);
  expect((await again.manager.get(kept)).status).toBe('active');
  again.leave();
  expect(await untilEnded(again.manager, kept)).toMatchObject({ reason: 'connection_closed' });
});

describe('tenacitty mcp', () => {
  let place: Place;
  beforeAll(async () => (place = await sharedPlace()));

  it('reports that a client is present', async () => {
    const gone = await Agent.start(place, { workspace: 'there' });
    await gone.call({ command: 'true' });
    await gone.close();
    const { id } = (await place.manager.list())[0]!;
    const before = (await place.manager.get(id)).lastActivity;
    const agent = await Agent.start(place, { workspace: 'there', flags: ['--on-close', 'end'] });
    await eventually(async () => (await place.manager.get(id)).lastActivity > before);
    await agent.close();
    await place.clear();
  });

  it('accepts no other value for what happens to its terminals', async () => {
    const { code, stderr } = await place.run('mcp', '--on-close', 'sometimes');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('one of idle, keep, end') });
  });
});
