/**
 * Handles the agent's terminal requests as lines: serves them, responds to each with its id exactly as the agent wrote
 * it, and aborts them when the agent cancels them.
 */
import { methods, RequestError } from '@agentclientprotocol/sdk';
import { asRequestError } from '../request-error.js';
import type { AcpTerminals } from '../terminals.js';
import { keyOf } from './message.js';
import type { Message, JsonPart } from './message.js';

type Serve = (terminals: AcpTerminals, params: never, signal: AbortSignal) => Promise<object>;

const { create, output, waitForExit, kill, release } = methods.client.terminal;
const SERVED: Readonly<Record<string, Serve>> = {
  [create]: (terminals, params, signal) => terminals.createTerminal(params, signal),
  [output]: (terminals, params) => terminals.terminalOutput(params),
  [waitForExit]: (terminals, params, signal) => terminals.waitForTerminalExit(params, signal),
  [kill]: (terminals, params) => terminals.killTerminal(params),
  [release]: (terminals, params) => terminals.releaseTerminal(params),
};
/** Methods whose response is sent to the agent only after the viewer has been updated. */
const SHOWN_BEFORE_ANSWER = [waitForExit, release] as string[];

/**
 * Number of ids of completed requests that are kept, in case a `$/cancel_request` arrives too late. The editor has
 * never seen these requests, so the cancellation must not reach it.
 */
const MAX_ANSWERED = 100;

/** Shows the terminals to a person. */
export interface TerminalViewer {
  flush(terminalId: string): Promise<void>;
  released(terminalId: string): void;
}

/** A request that has not been answered yet. */
interface Pending {
  readonly key: string;
  readonly cancelling: AbortController;
  /** Whether the agent has since used the request's id for a request that was passed on to the editor. */
  isReused: boolean;
}

export class TerminalRequests {
  readonly #terminals: AcpTerminals;
  readonly #answer: (line: Buffer) => void;
  readonly #viewer: TerminalViewer;
  /** A set, because an agent may use one id for several requests. */
  readonly #pending = new Set<Pending>();
  readonly #answered = new Set<string>();

  /** @param answer - Sends a line to the agent. */
  constructor(terminals: AcpTerminals, answer: (line: Buffer) => void, viewer: TerminalViewer) {
    this.#terminals = terminals;
    this.#answer = answer;
    this.#viewer = viewer;
  }

  /** Returns whether the message is a request to serve here. */
  takes({ method, id }: Message): boolean {
    return id !== null && method !== undefined && Object.hasOwn(SERVED, method);
  }

  async serve(message: Message): Promise<void> {
    const { text } = message.id!;
    const request = { key: message.idKey!, cancelling: new AbortController(), isReused: false };
    this.#pending.add(request);
    const outcome = await this.#outcome(message, request.cancelling.signal);
    this.#pending.delete(request);
    if (!request.isReused) this.#remember(request.key);
    this.#answer(Buffer.from(`{"jsonrpc":"2.0","id":${text},${outcome}}\n`));
  }

  /**
   * Records that a message with this id was passed on to the editor. From now on, a cancellation of this id is also
   * passed on.
   */
  passed(key: string): void {
    this.#answered.delete(key);
    for (const request of this.#pendingOf(key)) request.isReused = true;
  }

  /**
   * Cancels the requests with this id that are served here. Returns false if the cancellation must be passed on to the
   * editor as well.
   */
  cancel(requestId: JsonPart): boolean {
    const key = keyOf(requestId);
    const pending = this.#pendingOf(key);
    for (const { cancelling } of pending) cancelling.abort(RequestError.requestCancelled());
    return pending.some(({ isReused }) => !isReused) || this.#answered.has(key);
  }

  #pendingOf(key: string): Pending[] {
    return [...this.#pending].filter((request) => request.key === key);
  }

  /** Returns the `result` or `error` member of the response. */
  async #outcome({ method, params }: Message, signal: AbortSignal): Promise<string> {
    const terminalId = params?.string('terminalId');
    try {
      if (method === release) await this.#show(terminalId);
      const result = await SERVED[method!]!(this.#terminals, params?.value as never, signal);
      if (SHOWN_BEFORE_ANSWER.includes(method!)) await this.#show(terminalId);
      if (method === release) this.#viewer.released(terminalId!);
      return `"result":${JSON.stringify(result)}`;
    } catch (error) {
      const { code, message, data } = asRequestError(error);
      return `"error":${JSON.stringify({ code, message, data })}`;
    }
  }

  async #show(terminalId: string | undefined): Promise<void> {
    if (terminalId !== undefined) await this.#viewer.flush(terminalId);
  }

  #remember(key: string): void {
    // Added again, so that it is not the next to be dropped.
    this.#answered.delete(key);
    this.#answered.add(key);
    if (this.#answered.size > MAX_ANSWERED) this.#answered.delete([...this.#answered][0]!);
  }
}
