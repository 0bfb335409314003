/**
 * Serves one live connection to a terminal: greets the client, then sends the output and handles the client's messages
 * at the same time, until the terminal ends or either side closes the connection.
 */
import { randomUUID } from 'node:crypto';
import { LIVE_CLOSE, MAX_LIVE_MESSAGE_BYTES, type LiveMessage, type LiveQuery } from '../contract/live.js';
import { permitted } from '../access/permitted-manager.js';
import type { Principal } from '../access/principal.js';
import { mayDo } from '../access/roles.js';
import { callerOf } from '../contract/caller.js';
import type { TerminalManager } from '../contract/manager.js';
import type { Viewer } from '../contract/presence.js';
import { invalidInput, type TerminalError } from '../errors.js';
import { closeAfter, type Explain } from './client-messages.js';
import { LiveInput } from './input.js';
import { LiveOutput } from './output.js';
import type { LivePeer } from './peer.js';

export interface LiveConnection {
  readonly manager: TerminalManager;
  readonly terminalId: string;
  readonly query: LiveQuery;
  readonly principal: Principal;
  readonly explain: Explain;
}

/** Serves a connection to its end. Never rejects: errors are sent to the client. */
export async function serveLive(peer: LivePeer, connection: LiveConnection): Promise<void> {
  const say = (message: LiveMessage): void => peer.send(JSON.stringify(message));
  try {
    const { end, input } = await greet(peer, say, connection);
    const isDrawing = (): boolean => input.isDrawing;
    await new LiveOutput(peer, say, { ...connection, viewer: viewerOf(connection), isDrawing }).follow(end);
    peer.close(LIVE_CLOSE.ended, 'the terminal has ended');
  } catch (error) {
    closeAfter(error, { peer, say, explain: connection.explain });
  }
}

/** Starts to accept input. Returns the input and the current end of the output. */
async function greet(
  peer: LivePeer,
  say: (message: LiveMessage) => void,
  connection: LiveConnection,
): Promise<{ end: number; input: LiveInput }> {
  const { manager, terminalId, query } = connection;
  const { cols, rows, totalBytes: offset, holder } = await manager.get(terminalId);
  const { name, role } = viewerOf(connection);
  const { from } = query;
  const writer = randomUUID();
  const limits = { messageBytes: MAX_LIVE_MESSAGE_BYTES };
  say({ type: 'hello', terminalId, role, cols, rows, offset, writer, holder, limits });
  if (from !== undefined && from > offset) throw beyondEnd(from, offset);
  const own = permitted(manager, { role, by: { name, door: 'live' } });
  const input = new LiveInput(peer, say, { ...connection, manager: own, writer });
  peer.receive((message) => input.take(message));
  return { end: offset, input };
}

/** Describes the client as others see it. Its role never exceeds that of the caller. */
function viewerOf({ query, principal }: LiveConnection): Viewer {
  const { name } = callerOf('live', query.name, principal.name);
  return { name, role: mayDo(principal.role, 'control') ? query.role : 'viewer' };
}

function beyondEnd(given: number, end: number): TerminalError {
  const expected = `a whole number from 0 to ${end}, the end of the output`;
  return invalidInput({ field: 'query.from', message: 'is beyond the end of the output', given, expected });
}
