/**
 * A live connection to a terminal that outlives its socket. When the socket is lost, the connection reconnects, resumes
 * at the byte where it stopped, and repeats input that was not acknowledged. The terminal types repeated input only
 * once.
 */
import type { LiveMessage } from '../contract/live.js';
import type { Requests } from './requests.js';
import { isFinal, retryMs } from './retry.js';
import type { SignalName, TerminalSize } from '../contract/terminal.js';

const PROTOCOL = 'tenacitty.v1';
const OFFSET_BYTES = 8;
/** Stands for the start of a hold that the server has not reported yet. */
const SOON = 'soon';
/** Close codes that make it useless to reconnect. */
const FINAL_CODES = [1000, 1007, 1008, 1009];

type MessageOf<Type extends LiveMessage['type']> = Extract<LiveMessage, { readonly type: Type }>;

/** What the `WebSocket` classes of browsers, Node and the package `ws` have in common. */
export interface Socket {
  binaryType: string;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}
export type SocketConstructor = new (url: string, protocols: string[], options?: { headers: object }) => Socket;

export interface LiveOptions {
  /**
   * Receives bytes that the program wrote, which start at this offset, to be written to an emulator. May return a
   * promise that resolves when they have been drawn. While this connection holds the terminal, a fast program waits for
   * that.
   */
  readonly onOutput: (bytes: Uint8Array, offset: number) => unknown;
  /**
   * Receives the screen when the connection begins and after a gap: reset the emulator, give it this size, and write
   * `data`.
   */
  readonly onSnapshot: (snapshot: MessageOf<'snapshot'>) => unknown;
  /** Receives every other message: sizes, commands, titles, holders, errors and the end. */
  readonly onMessage?: (message: LiveMessage) => void;
  /** Called when a connection has been established, lost or closed. The reason is null if the end was expected. */
  readonly onState?: (state: 'open' | 'lost' | 'closed', reason: string | null) => void;
  /** Whether the connection can only watch. Default: false. */
  readonly isViewer?: boolean;
  /** The name that other viewers see. */
  readonly name?: string;
  /** Offset at which to resume without a snapshot. Default: the connection begins with a snapshot. */
  readonly from?: number;
  /**
   * Default: the global class. Node before version 22 has none, and that of later versions sends no API key. In Node,
   * pass `WebSocket` from the package `ws`.
   */
  readonly WebSocket?: SocketConstructor;
}

interface PendingInput {
  readonly message: { readonly seq: number };
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class LiveTerminal {
  readonly #requests: Requests;
  readonly #path: string;
  readonly #options: LiveOptions;
  readonly #writer = crypto.randomUUID();
  #socket: Socket | null = null;
  /** Whether the server has sent its greeting. Until then, only repeated input may be sent. */
  #isOpen = false;
  #offset: number | null;
  #seq = 0;
  /** Input that has not been acknowledged, in the order in which it was typed. */
  #typed: PendingInput[] = [];
  /**
   * When this client began to hold the terminal, `SOON` after it has requested the hold, or null if it does not hold
   * it.
   */
  #heldSince: string | null = null;
  /** The start of the hold that the latest greeting reported, because a resumption repeats reports of earlier holds. */
  #reportedSince = '';
  #isClosed = false;
  #losses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryAt: number | null = null;

  /** @param path - Path of the terminal's route. */
  constructor(requests: Requests, path: string, options: LiveOptions) {
    this.#requests = requests;
    this.#path = path;
    this.#options = options;
    this.#offset = options.from ?? null;
    this.#connect();
  }

  /** Offset after the last byte received, or null before the first snapshot. */
  get offset(): number | null {
    return this.#offset;
  }

  /** When a lost connection is next tried again, in milliseconds since the epoch, or null if it is not waiting. */
  get retryAt(): number | null {
    return this.#retryAt;
  }

  /** Tries a lost connection again at once. Does nothing unless it is waiting for the next attempt. */
  retry(): void {
    if (this.#retryAt === null) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /**
   * Types text unchanged; end it with `\r` for Enter. Resolves when the text has been typed, which may take until the
   * connection has been re-established.
   *
   * @throws Error if the text is refused or the connection is closed for good.
   */
  type(text: string): Promise<void> {
    return this.#type({ text });
  }

  /** Types named keys, such as `ctrl-c`. */
  press(...keys: string[]): Promise<void> {
    return this.#type({ keys });
  }

  /** Resizes the terminal. Does nothing while the connection is lost. */
  resize({ cols, rows }: TerminalSize): void {
    this.#send({ type: 'resize', cols, rows });
  }

  /** Sends a signal to the foreground process group. Does nothing while the connection is lost. */
  signal(signal: SignalName): void {
    this.#send({ type: 'signal', signal });
  }

  /**
   * Requests the hold on the terminal. Requests it again after a lost connection, unless another caller has taken it in
   * the meantime. `onMessage` receives a `control` message.
   */
  take(): void {
    this.#heldSince = SOON;
    this.#send({ type: 'control', action: 'take' });
  }

  /** Hands the terminal back. */
  release(): void {
    this.#heldSince = null;
    this.#send({ type: 'control', action: 'release' });
  }

  /** Closes the connection for good. Can be called more than once. */
  close(): void {
    this.#finish(null);
    this.#socket?.close(1000);
  }

  #type(input: object): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The connection is closed'));
    const message = { type: 'input', writer: this.#writer, seq: ++this.#seq, ...input };
    return new Promise((resolve, reject) => {
      this.#typed.push({ message, resolve, reject });
      this.#send(message);
    });
  }

  #send(message: object): void {
    if (this.#isOpen) this.#socket!.send(JSON.stringify(message));
  }

  #connect(): void {
    this.#retryAt = null;
    const { isViewer = false, name } = this.#options;
    const Socket = this.#options.WebSocket ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
    if (Socket === undefined) throw new Error('There is no global WebSocket; pass that of the package ws as an option');
    const query = new URLSearchParams({ role: isViewer ? 'viewer' : 'controller' });
    if (name !== undefined) query.set('name', name);
    if (this.#offset !== null) query.set('from', String(this.#offset));
    const { url, headers } = this.#requests;
    const target = `${url.replace(/^http(s?):/, 'ws$1:')}${this.#path}/live?${query.toString()}`;
    const socket = new Socket(target, [PROTOCOL], { headers });
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.#take(JSON.parse(data) as LiveMessage);
      else this.#takeOutput(data as ArrayBuffer);
    };
    socket.onclose = ({ code, reason }) => this.#lost(code, reason);
    // `close` always follows and handles it.
    socket.onerror = () => {};
  }

  #take(message: LiveMessage): void {
    if (message.type === 'hello') this.#greeted(message.holder?.since ?? null);
    else if (message.type === 'control') this.#noteHolder(message.holder?.since ?? null);
    else if (message.type === 'ack') this.#settle(message.seq, ({ resolve }) => resolve());
    else if (message.type === 'error' && typeof message.about === 'number')
      this.#settle(message.about, ({ reject }) => reject(new Error(`${message.code}: ${message.message}`)));
    if (message.type !== 'snapshot') return this.#options.onMessage?.(message);
    this.#offset = message.at;
    this.#reportDrawn(this.#options.onSnapshot(message), message.at);
  }

  /**
   * Reports to the server what has been drawn.
   *
   * @param drawn - What the consumer returned: a promise if it draws later.
   */
  #reportDrawn(drawn: unknown, offset: number): void {
    if (this.#heldSince !== null) void Promise.resolve(drawn).then(() => this.#send({ type: 'drawn', offset }));
  }

  #takeOutput(data: ArrayBuffer): void {
    const offset = Number(new DataView(data).getBigUint64(0));
    const bytes = new Uint8Array(data, OFFSET_BYTES);
    this.#offset = offset + bytes.length;
    this.#reportDrawn(this.#options.onOutput(bytes, offset), this.#offset);
  }

  /** Records when the current hold began. The first holder that is reported after `take` is this client. */
  #noteHolder(since: string | null): void {
    if (since !== null && since <= this.#reportedSince) return;
    if (this.#heldSince === SOON) this.#heldSince = since ?? SOON;
    else if (this.#heldSince !== since) this.#heldSince = null;
  }

  #greeted(heldSince: string | null): void {
    this.#reportedSince = heldSince ?? '';
    this.#isOpen = true;
    this.#losses = 0;
    // The hold of the lost connection remains for some time and would refuse the input of this connection.
    if (this.#heldSince !== null && [heldSince, SOON].includes(this.#heldSince)) this.take();
    else this.#heldSince = null;
    this.#options.onState?.('open', null);
    for (const { message } of this.#typed) this.#send(message);
  }

  #settle(seq: number, settle: (typed: PendingInput) => void): void {
    const typed = this.#typed.find(({ message }) => message.seq === seq);
    if (typed === undefined) return;
    this.#typed = this.#typed.filter((each) => each !== typed);
    settle(typed);
  }

  #lost(code: number, reason: string): void {
    const wasOpen = this.#isOpen;
    this.#socket = null;
    this.#isOpen = false;
    if (this.#isClosed) return;
    if (FINAL_CODES.includes(code)) return this.#finish(reason);
    this.#options.onState?.('lost', reason);
    if (wasOpen) this.#connectLater();
    else void this.#findReason();
  }

  /** Finds out why the upgrade was refused. A WebSocket does not report the error, but a request does. */
  async #findReason(): Promise<void> {
    const error = await this.#requests.send(this.#path).catch((thrown: unknown) => thrown);
    if (isFinal(error)) this.#finish(error.message);
    else if (!this.#isClosed) this.#connectLater();
  }

  #connectLater(): void {
    const ms = retryMs(this.#losses++);
    this.#retryAt = Date.now() + ms;
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  #finish(reason: string | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isOpen = false;
    this.#retryAt = null;
    clearTimeout(this.#timer);
    const rest = this.#typed;
    this.#typed = [];
    for (const { reject } of rest) reject(new Error('The connection was closed before this input was acknowledged'));
    this.#options.onState?.('closed', reason);
  }
}
