/**
 * Reads the messages of one client: checks each one and carries it out, or replies with `error`. Disconnects a client
 * that keeps sending data that is not a message.
 */
import type { z } from 'zod';
import { check } from '../check.js';
import { LIVE_CLOSE, type LiveMessage } from '../contract/live.js';
import { invalidInput, type TerminalError } from '../errors.js';
import type { LivePeer } from './peer.js';

/** The connection is closed after this many messages that cannot be understood. */
const MAX_UNCLEAR = 3;

/** Returns the code and message that report an error to a client. */
export type Explain = (error: unknown) => { readonly code: string; readonly message: string };

/** Schemas of messages by `type`. */
type Table = Readonly<Record<string, z.ZodType>>;

export interface ClientMessagesOptions<Requests extends Table> {
  readonly peer: LivePeer;
  readonly requests: Requests;
  /** Carries out a message. */
  readonly perform: (request: z.output<Requests[keyof Requests]>) => Promise<void> | void;
  readonly say: (message: Extract<LiveMessage, { type: 'error' }>) => void;
  readonly explain: Explain;
}

type Client = Pick<ClientMessagesOptions<Table>, 'peer' | 'say' | 'explain'>;

/** Reports an error to the client and closes the connection. */
export function closeAfter(error: unknown, { peer, say, explain }: Client): void {
  const { code, message } = explain(error);
  say({ type: 'error', code, message, about: null });
  peer.close(code === 'INVALID_INPUT' ? LIVE_CLOSE.refused : LIVE_CLOSE.failed, code);
}

export class ClientMessages<Requests extends Table> {
  readonly #options: ClientMessagesOptions<Requests>;
  #unclear = 0;

  constructor(options: ClientMessagesOptions<Requests>) {
    this.#options = options;
  }

  /** Carries out one message. Never rejects. */
  async take(message: string | Uint8Array): Promise<void> {
    let value: unknown;
    try {
      value = parse(message);
    } catch (error) {
      return this.#unclearMessage(error, null, LIVE_CLOSE.notJson);
    }
    let request: z.output<Requests[keyof Requests]>;
    try {
      request = this.#requestOf(value);
    } catch (error) {
      return this.#unclearMessage(error, aboutOf(value), LIVE_CLOSE.refused);
    }
    try {
      await this.#options.perform(request);
    } catch (error) {
      this.refuse(error, aboutOf(request));
    }
  }

  /** Reports an error to the client. */
  refuse(error: unknown, about: number | string | null): void {
    const { code, message } = this.#options.explain(error);
    this.#options.say({ type: 'error', code, message, about });
  }

  #unclearMessage(error: unknown, about: number | string | null, code: number): void {
    this.refuse(error, about);
    if (++this.#unclear >= MAX_UNCLEAR) this.#options.peer.close(code, 'too many messages that cannot be understood');
  }

  /** @throws `INVALID_INPUT` naming the field. */
  #requestOf(value: unknown): z.output<Requests[keyof Requests]> {
    const { requests } = this.#options;
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type === 'string' && Object.hasOwn(requests, type)) {
      return check('', requests[type]!, value) as z.output<Requests[keyof Requests]>;
    }
    const expected = `one of ${Object.keys(requests).join(', ')}`;
    throw invalidInput({ field: 'type', message: 'is not a type of message', given: type, expected });
  }
}

function parse(message: string | Uint8Array): unknown {
  if (typeof message !== 'string') throw unclear('is binary', 'a JSON text');
  try {
    return JSON.parse(message);
  } catch {
    throw unclear('is not JSON', 'a JSON object');
  }
}

function unclear(message: string, expected: string): TerminalError {
  return invalidInput({ field: 'message', message, expected });
}

/** Returns what a reply refers to: the number of an input, or otherwise the type of the message. */
function aboutOf(value: unknown): number | string | null {
  const { seq, type } = (value ?? {}) as { seq?: unknown; type?: unknown };
  if (Number.isSafeInteger(seq)) return seq as number;
  return typeof type === 'string' ? type.slice(0, 64) : null;
}
