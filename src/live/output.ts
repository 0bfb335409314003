/**
 * Sends the output of one terminal to one client: a snapshot of the screen, then every byte starting at its offset. A
 * client that is too slow misses output and gets a new snapshot. Does not slow programs down, unless the client is the
 * holder's and reports what it has drawn.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs } from '../clock.js';
import { LIVE_OFFSET_BYTES, type LiveMessage, type LiveQuery } from '../contract/live.js';
import type { ExitEvent, NoticeEvent, OutputEvent, TerminalEvent } from '../contract/event.js';
import type { Subscription, TerminalManager } from '../contract/manager.js';
import type { Viewer } from '../contract/presence.js';
import { Allowance } from './allowance.js';
import type { LivePeer } from './peer.js';

/** A client that still has more than this to read gets no more for now. */
const MAX_QUEUED_BYTES = 1 << 20;

export interface FollowedTerminal {
  readonly manager: TerminalManager;
  readonly terminalId: string;
  readonly query: LiveQuery;
  /** The client, as others see it. */
  readonly viewer: Viewer;
  /** Whether the client holds the terminal and reports how much output it has drawn. */
  readonly isDrawing: () => boolean;
}

export class LiveOutput {
  readonly #peer: LivePeer;
  readonly #sendMessage: (message: LiveMessage) => void;
  readonly #followed: FollowedTerminal;
  /** Offset after the last byte sent. */
  #offset = 0;
  /** End of the output when the client connected. */
  #end = 0;
  readonly #allowance = new Allowance(monotonicMs());

  constructor(peer: LivePeer, say: (message: LiveMessage) => void, followed: FollowedTerminal) {
    this.#peer = peer;
    this.#sendMessage = say;
    this.#followed = followed;
  }

  /**
   * Resolves when no more output is possible or the connection has been closed.
   *
   * @param end - The current end of the output, where sending starts if there is neither `from` nor a snapshot.
   */
  async follow(end: number): Promise<void> {
    const { from, snapshot = from === undefined } = this.#followed.query;
    this.#end = end;
    this.#offset = from ?? end;
    try {
      if (snapshot) await this.#paint();
      while (!this.#peer.closed.aborted && !(await this.#stream())) await this.#skip();
    } finally {
      this.#allowance.end();
    }
  }

  /** Skips output. The client gets a snapshot when it has read everything sent so far. */
  async #skip(): Promise<void> {
    await this.#peer.drained();
    const waitMs = this.#allowance.waitMs(monotonicMs());
    await delay(waitMs, undefined, { signal: this.#peer.closed }).catch(() => undefined);
    if (!this.#peer.closed.aborted) await this.#paint(this.#offset);
  }

  /** @param missedFrom - Start of the output that the client misses; absent if it misses none. */
  async #paint(missedFrom?: number): Promise<void> {
    const { manager, terminalId } = this.#followed;
    const { offset: at, ...painted } = await manager.snapshot(terminalId);
    if (missedFrom !== undefined) this.#sendMessage({ type: 'gap', from: missedFrom, to: at });
    this.#sendMessage({ type: 'snapshot', at, ...painted });
    this.#offset = at;
  }

  /** Returns true if the stream is over, or false if the client needs a snapshot. */
  async #stream(): Promise<boolean> {
    const { manager, terminalId, viewer } = this.#followed;
    const subscription = await manager.subscribe(terminalId, this.#offset, { viewer });
    const close = (): void => subscription.close();
    this.#peer.closed.addEventListener('abort', close, { once: true });
    try {
      return await this.#sendAll(subscription);
    } finally {
      this.#peer.closed.removeEventListener('abort', close);
      close();
    }
  }

  async #sendAll(subscription: Subscription): Promise<boolean> {
    if (this.#peer.closed.aborted) return true;
    for await (const event of subscription) {
      if (event.type === 'gap') return false;
      await this.#send(event);
      if (this.#mayHaveMore(event) && this.#peer.queuedBytes <= MAX_QUEUED_BYTES) continue;
      // Output from before the client connected is not skipped; sending waits for the client instead. Later output is
      // skipped, so that the client sees the current state.
      if (this.#offset >= this.#end) return false;
      await this.#peer.drained();
    }
    return true;
  }

  /**
   * Returns whether the client may be sent more after this event. A client that reports what it has drawn gets
   * everything, because the program waits for it.
   */
  #mayHaveMore(event: TerminalEvent): boolean {
    if (event.type !== 'output' || this.#followed.isDrawing()) return true;
    return this.#allowance.take(event.bytes.length, monotonicMs());
  }

  async #send(event: Exclude<TerminalEvent, { type: 'gap' }>): Promise<void> {
    if (event.type === 'output') this.#sendOutput(event);
    else if (event.type === 'resize') this.#sendMessage({ type: 'size', cols: event.cols, rows: event.rows });
    else if (event.type === 'exit') await this.#sendEnd(event);
    else if (event.type !== 'end') this.#sendNotice(event);
  }

  #sendNotice({ offset: _offset, ...message }: NoticeEvent): void {
    this.#sendMessage(message);
  }

  #sendOutput({ offset, bytes }: OutputEvent): void {
    const message = Buffer.allocUnsafe(LIVE_OFFSET_BYTES + bytes.length);
    message.writeBigUInt64BE(BigInt(offset));
    message.set(bytes, LIVE_OFFSET_BYTES);
    this.#peer.send(message);
    this.#offset = offset + bytes.length;
  }

  async #sendEnd({ exitCode, signal }: ExitEvent): Promise<void> {
    const { manager, terminalId } = this.#followed;
    const { endedBy } = await manager.get(terminalId);
    this.#sendMessage({ type: 'ended', endedBy, exitCode, signal });
  }
}
