/** Tests what a connection receives while nothing happens, and how long it may be silent. */
import { EventEmitter, once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pino } from 'pino';
import { HEARTBEAT_MS, sendEvents, type ServerEvent } from '../../src/http/event-stream.js';
import { Exchange } from '../../src/http/exchange.js';

let server: Server;
afterEach(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function serve(handle: (exchange: Exchange) => void): Promise<string> {
  server = createServer((request, response) => handle(new Exchange(request, response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function answerOf(url: string, agent?: Agent): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent: agent ?? false }), 'response')) as [IncomingMessage];
  return answer.setEncoding('utf8');
}

const log = pino({ level: 'silent' });

/** Yields one event, and the rest when the gate opens; fails if the gate emits `error`. */
function pausing(): { events: AsyncGenerator<ServerEvent>; gate: EventEmitter } {
  const gate = new EventEmitter();
  async function* events(): AsyncGenerator<ServerEvent> {
    const opened = once(gate, 'open');
    yield { event: 'first', data: 1 };
    await opened;
    yield { event: 'last', data: 2 };
  }
  return { events: events(), gate };
}

async function text(answer: IncomingMessage, until: string): Promise<string> {
  let said = '';
  while (!said.includes(until)) said += String((await once(answer, 'data'))[0]);
  return said;
}

it('sends heartbeats while there are no events', async () => {
  const begun = jest.spyOn(globalThis, 'setInterval');
  const ended = jest.spyOn(globalThis, 'clearInterval');
  const { events, gate } = pausing();
  const answer = await answerOf(await serve((exchange) => void sendEvents(exchange, 200, events, log)));
  expect(await text(answer, '\n\n')).toBe('event: first\ndata: 1\n\n');
  const at = begun.mock.calls.findIndex(([, ms]) => ms === HEARTBEAT_MS);
  begun.mock.calls[at]![0]();
  expect(await text(answer, '\n\n')).toMatch(/^:.*\n\n$/);
  const end = once(answer, 'end');
  gate.emit('open');
  expect(await text(answer, '\n\n')).toBe('event: last\ndata: 2\n\n');
  await end;
  expect(ended).toHaveBeenCalledWith(begun.mock.results[at]!.value);
});

it('reports an error after the first event without its internal details', async () => {
  const { events, gate } = pausing();
  const answer = await answerOf(await serve((exchange) => void sendEvents(exchange, 200, events, log)));
  await text(answer, '\n\n');
  gate.emit('error', new Error('a secret of ours'));
  const said = await text(answer, '\n\n');
  expect(said).toMatch(/^event: failed\ndata: \{"code":"INTERNAL_ERROR",.*\}\n\n$/);
  expect(said).not.toContain('secret');
});

it('closes its source when the caller disconnects', async () => {
  const told = new EventEmitter();
  async function* events(): AsyncGenerator<ServerEvent> {
    try {
      for (;;) yield { event: 'more', data: 'x'.repeat(1000) };
    } finally {
      told.emit('over');
    }
  }
  const answer = await answerOf(await serve((exchange) => void sendEvents(exchange, 200, events(), log)));
  answer.on('error', () => {});
  await text(answer, '\n\n');
  const over = once(told, 'over');
  answer.destroy();
  expect(await over).toEqual([]);
});

it('lets a connection be silent for the announced time, but not during the next request', async () => {
  const USUAL_MS = 180_000;
  const timeouts: (number | undefined)[] = [];
  const url = await serve((exchange) => {
    const socket: Socket = exchange.request.socket;
    timeouts.push(socket.timeout);
    if (timeouts.length === 1) exchange.expectWait(600_000);
    timeouts.push(socket.timeout);
    exchange.sendEmpty(204);
  });
  server.timeout = USUAL_MS;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let request = 0; request < 2; request++) await once((await answerOf(url, agent)).resume(), 'end');
  agent.destroy();
  expect(timeouts).toEqual([USUAL_MS, 660_000, USUAL_MS, USUAL_MS]);
});
