import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { Connections } from './connections.js';
import type { Admission, Gate } from './gate.js';

const LIMITS = {
  ...{ maxAdmitted: 6, maxOfPrincipal: 2 },
  ...{ maxUnauthenticated: 4, maxUnauthenticatedPerAddress: 2, unauthenticatedMs: 60_000 },
};

class Wire extends EventEmitter {
  isClosed = false;
  isIdle = false;

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.isClosed = true;
    this.emit('close');
  }
}

const server = new EventEmitter();
let connections: Connections;
beforeEach(() => {
  server.removeAllListeners();
  connections = new Connections(LIMITS, (socket) => (socket as unknown as Wire).isIdle);
  connections.watch(server as unknown as Server);
});

function arrive(address: string): Wire {
  const wire = new Wire(address);
  server.emit('connection', wire);
  return wire;
}

const PRINCIPAL = { id: 'local', kind: 'local', name: 'me', role: 'owner' } as const;
const ADMITTED: Admission = { outcome: 'admitted', principal: PRINCIPAL, headers: {} };

function judge(socket: Wire, admission: Promise<Admission> = Promise.resolve(ADMITTED)): Promise<Admission> {
  const gate = { admit: () => admission } as unknown as Gate;
  return connections.checkedBy(gate).admit({ socket } as unknown as IncomingMessage);
}

it('limits unauthenticated connections per address and per /64, and leaves other connections open', () => {
  const other = arrive('192.0.2.1');
  const ofOne = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(arrive);
  expect([other, ...ofOne].map(({ isClosed }) => isClosed)).toEqual([false, true, false, false]);
});

it('accepts callers on this machine up to the total limit', () => {
  const all = ['127.0.0.1', '::1', '127.0.0.1', '127.0.0.1', '127.0.0.1'].map(arrive);
  expect(all.map(({ isClosed }) => isClosed)).toEqual([true, false, false, false, false]);
});

it('does not close a connection whose request is being checked', async () => {
  let admit!: (admission: Admission) => void;
  const asking = arrive('127.0.0.1');
  const verdict = judge(asking, new Promise((resolve) => (admit = resolve)));
  const others = Array.from({ length: 6 }, () => arrive('127.0.0.1'));
  admit(ADMITTED);
  expect([await verdict, asking.isClosed]).toEqual([ADMITTED, false]);
  expect(others.filter(({ isClosed }) => isClosed)).toHaveLength(3);
});

/** Opens connections that a key uses, each with a request in progress. */
async function hold(key: string, count: number): Promise<Wire[]> {
  const principal = { ...PRINCIPAL, id: key, kind: 'key' } as const;
  const wires: Wire[] = [];
  for (let n = 0; n < count; n++) {
    const wire = arrive('127.0.0.1');
    const { outcome } = await judge(wire, Promise.resolve({ ...ADMITTED, principal } as Admission));
    if (outcome === 'admitted') wires.push(wire);
    else wire.destroy();
  }
  return wires;
}

it('gives each principal a share, in which a new connection displaces the one that is idle for longest', async () => {
  const [first, second] = (await hold('one', 4)) as [Wire, Wire];
  expect(await hold('one', 1)).toEqual([]);
  first.isIdle = second.isIdle = true;
  await judge(first);
  expect([await hold('one', 1), first.isClosed, second.isClosed]).toMatchObject([[{}], false, true]);
});

it('recognises idle connections over TLS', async () => {
  const below = arrive('127.0.0.1');
  const secure = new Wire('127.0.0.1');
  server.emit('secureConnection', secure);
  expect([await judge(secure), await judge(arrive('127.0.0.1'))]).toEqual([ADMITTED, ADMITTED]);
  secure.isIdle = true;
  expect([await judge(arrive('127.0.0.1')), below.isClosed]).toEqual([ADMITTED, true]);
});

it('keeps the share of the local owner free of connections of keys', async () => {
  const keys = ['one', 'two', 'three'].map((key) => () => hold(key, 2));
  const held: Wire[][] = [];
  for (const open of keys) held.push(await open());
  expect(held.map(({ length }) => length)).toEqual([2, 2, 0]);
  expect([await judge(arrive('127.0.0.1')), await judge(arrive('127.0.0.1'))]).toEqual([ADMITTED, ADMITTED]);
  held[0]![1]!.isIdle = true;
  expect([await hold('three', 2), held[0]![1]!.isClosed]).toMatchObject([[{}], true]);
});

it('refuses connections above the limit for admitted ones, and accepts new ones as they close', async () => {
  const [first, second, third] = ['127.0.0.1', '127.0.0.1', '127.0.0.1'].map(arrive) as [Wire, Wire, Wire];
  expect([await judge(first), await judge(second)]).toEqual([ADMITTED, ADMITTED]);
  expect(await judge(third)).toMatchObject({ outcome: 'refused', error: { code: 'LIMIT_REACHED' } });
  first.destroy();
  expect(await judge(third)).toEqual(ADMITTED);
});

describe('refusals', () => {
  let nowMs = 5000;
  beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => nowMs));
  afterEach(() => jest.restoreAllMocks());

  it('ends the connection of a caller that is not admitted after each attempt to sign in, and counts it', async () => {
    const guest: Admission = { outcome: 'guest', headers: {} };
    const gate = connections.checkedBy({ admit: () => Promise.resolve(guest) } as unknown as Gate);
    const attempt = async (wire: Wire) => {
      const { headers } = await gate.admit({ socket: wire } as unknown as IncomingMessage, 'sign-in');
      return [headers['Connection'], wire.isClosed];
    };
    expect(await attempt(arrive('192.0.2.1'))).toEqual(['close', false]);
    const closed = [];
    for (let count = 0; count < 100; count++) closed.push((await attempt(arrive('192.0.2.1')))[1]);
    expect(closed.indexOf(true)).toBe(99);
  });

  async function answered(count: number): Promise<number> {
    const refused = { outcome: 'refused', headers: {} } as unknown as Admission;
    let answers = 0;
    for (let index = 0; index < count; index++) {
      const wire = arrive('127.0.0.1');
      expect((await judge(wire, Promise.resolve(refused))).headers).toEqual({ Connection: 'close' });
      if (!wire.isClosed) answers++;
      wire.destroy();
    }
    return answers;
  }

  it('close an unauthenticated connection, without an answer above the limit per second', async () => {
    expect(await answered(250)).toBe(100);
    nowMs += 1000;
    expect(await answered(50)).toBe(50);
    nowMs += 999;
    expect(await answered(100)).toBe(50);
  });

  it('include malformed requests, except on admitted connections', async () => {
    const admitted = arrive('127.0.0.1');
    await judge(admitted);
    const wires = Array.from({ length: 250 }, () => {
      const wire = arrive('127.0.0.1');
      connections.countRefusal(wire as unknown as Socket);
      connections.countRefusal(admitted as unknown as Socket);
      const { isClosed } = wire;
      wire.destroy();
      return isClosed;
    });
    expect(wires.filter((isClosed) => !isClosed)).toHaveLength(100);
    expect(admitted.isClosed).toBe(false);
  });
});
