/**
 * Carries out the messages of one client: input, resizing, signals, holding. Replies with `ack`, `pong` or `error`
 * where the protocol has a reply.
 */
import { LIVE_REQUESTS, type LiveMessage, type LiveRequest } from '../contract/live.js';
import type { Principal } from '../access/principal.js';
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalInput } from '../contract/terminal.js';
import { ClientMessages, type Explain } from './client-messages.js';
import { withoutReplies } from './emulator-replies.js';
import { KeptHold } from '../calls/kept-hold.js';
import type { LivePeer } from './peer.js';

export interface LiveInputOptions {
  /** A manager that rejects calls that the client has no permission for. */
  readonly manager: TerminalManager;
  readonly terminalId: string;
  /** The writer name of inputs that do not name a writer. */
  readonly writer: string;
  /** The caller. Writers of different callers are distinct, even if they use the same name. */
  readonly principal: Principal;
  readonly explain: Explain;
}

export class LiveInput {
  readonly #sendMessage: (message: LiveMessage) => void;
  readonly #options: LiveInputOptions;
  readonly #hold: KeptHold;
  readonly #messages: ClientMessages<typeof LIVE_REQUESTS>;

  constructor(peer: LivePeer, say: (message: LiveMessage) => void, of: LiveInputOptions) {
    this.#sendMessage = say;
    this.#options = of;
    this.#hold = new KeptHold(of.manager, of.terminalId, peer.closed);
    const perform = (request: LiveRequest): Promise<void> => this.#perform(request);
    this.#messages = new ClientMessages({ peer, say, perform, requests: LIVE_REQUESTS, explain: of.explain });
  }

  /** Whether the client holds the terminal and reports how much output it has drawn. */
  get isDrawing(): boolean {
    return this.#hold.isDrawing;
  }

  /** Carries out one message. Never rejects. */
  take(message: string | Uint8Array): Promise<void> {
    return this.#messages.take(message);
  }

  async #perform(request: LiveRequest): Promise<void> {
    const { manager, terminalId } = this.#options;
    const hold = this.#hold.token;
    if (request.type === 'drawn') return this.#inBackground(this.#hold.drawn(request.offset));
    if (request.type === 'ping' || request.type === 'signal') this.#inBackground(this.#hold.stillThere());
    if (request.type === 'ping') return this.#sendMessage({ type: 'pong' });
    if (request.type === 'control') return this.#hold.control(request);
    if (request.type === 'resize')
      return manager.resize(terminalId, { cols: request.cols, rows: request.rows }, { hold });
    if (request.type === 'signal') return manager.signal(terminalId, { signal: request.signal });
    await this.#type(request);
  }

  /** Awaits a report in the background, so that it does not delay input that is typed after it. */
  #inBackground(report: Promise<void>): void {
    report.catch((error: unknown) => this.#messages.refuse(error, 'drawn'));
  }

  async #type({ seq, writer = this.#options.writer, text, keys, data }: LiveRequest<'input'>): Promise<void> {
    const { manager, terminalId, principal } = this.#options;
    const input: TerminalInput =
      data === undefined ? { input: text && withoutReplies(text), keys, raw: true } : { data: withoutRepliesIn(data) };
    await manager.write(terminalId, input, {
      order: { writer: `${principal.id}/${writer}`, seq },
      hold: this.#hold.token,
    });
    this.#sendMessage({ type: 'ack', seq });
  }
}

/** @param data - Bytes in base64. */
function withoutRepliesIn(data: string): string {
  return Buffer.from(withoutReplies(Buffer.from(data, 'base64').toString('latin1')), 'latin1').toString('base64');
}
