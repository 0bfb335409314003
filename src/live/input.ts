/**
 * Carries out the messages of one client: input, sizes, signals. Each is checked, and answered with `ack`, `pong` or
 * `error`. A client that keeps sending what is no message is disconnected.
 */
import { check } from '../check.js';
import {
  LIVE_CLOSE,
  LIVE_REQUESTS,
  type LiveMessage,
  type LiveRequest,
  type LiveRequestType,
  type LiveRole,
} from '../contract/live.js';
import type { Principal } from '../access/principal.js';
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalInput } from '../contract/terminal.js';
import { invalidInput, TerminalError } from '../errors.js';
import { withoutReplies } from './emulator-replies.js';
import { ConnectionHold } from './connection-hold.js';
import type { Peer } from './peer.js';

/** The connection is closed at this many messages that cannot be understood. */
const MAX_UNCLEAR = 3;

export interface LiveInputOf {
  readonly manager: TerminalManager;
  readonly terminalId: string;
  readonly role: LiveRole;
  /** The writer of inputs that name none. */
  readonly writer: string;
  /** Writers of different callers are different, whatever they call themselves. */
  readonly principal: Principal;
  /** The name to show to others. */
  readonly name: string;
  /** Returns what a client is told about an error. */
  readonly explain: (error: unknown) => { readonly code: string; readonly message: string };
}

export class LiveInput {
  readonly #peer: Peer;
  readonly #say: (message: LiveMessage) => void;
  readonly #of: LiveInputOf;
  readonly #hold: ConnectionHold;
  #unclear = 0;

  constructor(peer: Peer, say: (message: LiveMessage) => void, of: LiveInputOf) {
    this.#peer = peer;
    this.#say = say;
    this.#of = of;
    this.#hold = new ConnectionHold(of, peer.closed);
  }

  /** Carries out one message. Never rejects. */
  async take(message: string | Uint8Array): Promise<void> {
    let value: unknown;
    try {
      value = parse(message);
    } catch (error) {
      return this.#unclearMessage(error, null, LIVE_CLOSE.notJson);
    }
    let request: LiveRequest;
    try {
      request = requestOf(value);
    } catch (error) {
      return this.#unclearMessage(error, aboutOf(value), LIVE_CLOSE.refused);
    }
    await this.#perform(request).catch((error: unknown) => this.#refuse(error, aboutOf(request)));
  }

  #unclearMessage(error: unknown, about: number | string | null, code: number): void {
    this.#refuse(error, about);
    if (++this.#unclear >= MAX_UNCLEAR) this.#peer.close(code, 'too many messages that cannot be understood');
  }

  #refuse(error: unknown, about: number | string | null): void {
    const { code, message } = this.#of.explain(error);
    this.#say({ type: 'error', code, message, about });
  }

  async #perform(request: LiveRequest): Promise<void> {
    if (request.type === 'ping') return this.#say({ type: 'pong' });
    if (this.#of.role === 'viewer') throw new TerminalError('FORBIDDEN', 'A viewer cannot change the terminal');
    const { manager, terminalId } = this.#of;
    const { hold } = this.#hold;
    if (request.type === 'control') return this.#hold.control(request);
    if (request.type === 'resize')
      return manager.resize(terminalId, { cols: request.cols, rows: request.rows }, { hold });
    if (request.type === 'signal') return manager.signal(terminalId, { signal: request.signal });
    await this.#type(request);
  }

  async #type({ seq, writer = this.#of.writer, text, keys, data }: LiveRequest<'input'>): Promise<void> {
    const { manager, terminalId, principal } = this.#of;
    const input: TerminalInput =
      data === undefined ? { input: text && withoutReplies(text), keys, raw: true } : { data: withoutRepliesIn(data) };
    await manager.write(terminalId, input, {
      order: { writer: `${principal.id}/${writer}`, seq },
      hold: this.#hold.hold,
    });
    this.#say({ type: 'ack', seq });
  }
}

/** @param data - Bytes in base64. */
function withoutRepliesIn(data: string): string {
  return Buffer.from(withoutReplies(Buffer.from(data, 'base64').toString('latin1')), 'latin1').toString('base64');
}

function parse(message: string | Uint8Array): unknown {
  if (typeof message !== 'string') throw unclear('is binary', 'a JSON text');
  try {
    return JSON.parse(message);
  } catch {
    throw unclear('is not JSON', 'a JSON object');
  }
}

/** @throws `INVALID_INPUT` naming the field. */
function requestOf(value: unknown): LiveRequest {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(LIVE_REQUESTS, type)) {
    const expected = `one of ${Object.keys(LIVE_REQUESTS).join(', ')}`;
    throw invalidInput({ field: 'type', message: 'is no type of message', given: type, expected });
  }
  return check('', LIVE_REQUESTS[type as LiveRequestType], value);
}

function unclear(message: string, expected: string): TerminalError {
  return invalidInput({ field: 'message', message, expected });
}

/** What an answer refers to: the number of an input, otherwise the type of the message. */
function aboutOf(value: unknown): number | string | null {
  const { seq, type } = (value ?? {}) as { seq?: unknown; type?: unknown };
  if (Number.isSafeInteger(seq)) return seq as number;
  return typeof type === 'string' ? type.slice(0, 64) : null;
}
