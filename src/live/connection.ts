/**
 * One live connection to a terminal: greets the client, then sends the output and takes the client's messages at the
 * same time, until the terminal ends or either side closes. Does not depend on WebSocket.
 */
import { randomUUID } from 'node:crypto';
import { LIVE_CLOSE, MAX_LIVE_MESSAGE_BYTES, type LiveMessage, type LiveQuery } from '../contract/live.js';
import type { Principal } from '../access/principal.js';
import type { TerminalManager } from '../contract/manager.js';
import { invalidInput, type TerminalError } from '../errors.js';
import { LiveInput } from './input.js';
import { LiveOutput } from './output.js';
import type { Peer } from './peer.js';

export interface LiveConnection {
  readonly manager: TerminalManager;
  readonly terminalId: string;
  readonly query: LiveQuery;
  readonly principal: Principal;
  /** Returns what a client is told about an error. */
  readonly explain: (error: unknown) => { readonly code: string; readonly message: string };
}

/** Serves a connection to its end. Never rejects: errors are sent to the client. */
export async function serveLive(peer: Peer, connection: LiveConnection): Promise<void> {
  const say = (message: LiveMessage): void => peer.send(JSON.stringify(message));
  try {
    const end = await greet(peer, say, connection);
    await new LiveOutput(peer, say, connection).follow(end);
    peer.close(LIVE_CLOSE.ended, 'the terminal has ended');
  } catch (error) {
    const { code, message } = connection.explain(error);
    say({ type: 'error', code, message, about: null });
    peer.close(code === 'INVALID_INPUT' ? LIVE_CLOSE.refused : LIVE_CLOSE.failed, code);
  }
}

/** Returns the end of the output at this moment. */
async function greet(peer: Peer, say: (message: LiveMessage) => void, connection: LiveConnection): Promise<number> {
  const { manager, terminalId, query, principal } = connection;
  const { cols, rows, totalBytes: offset, holder } = await manager.get(terminalId);
  const { role, from, name = principal.name } = query;
  const writer = randomUUID();
  const limits = { messageBytes: MAX_LIVE_MESSAGE_BYTES };
  say({ type: 'hello', terminalId, role, cols, rows, offset, writer, holder, limits });
  if (from !== undefined && from > offset) throw beyondEnd(from, offset);
  const input = new LiveInput(peer, say, { ...connection, role, writer, name });
  peer.receive((message) => input.take(message));
  return offset;
}

function beyondEnd(given: number, end: number): TerminalError {
  const expected = `a whole number from 0 to ${end}, the end of the output`;
  return invalidInput({ field: 'query.from', message: 'is beyond the end of the output', given, expected });
}
