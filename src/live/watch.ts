/**
 * Serves one live connection that watches all terminals: sends each event as soon as the client has read the previous
 * ones, and lets the client choose the terminals whose lines it receives.
 */
import { LIVE_CLOSE } from '../contract/live.js';
import type { TerminalManager, Watch } from '../contract/manager.js';
import type { WatchTerminals } from '../contract/watch.js';
import { WATCH_REQUESTS, type WatchClientMessage, type WatchServerMessage } from '../contract/watch-live.js';
import { ClientMessages, closeAfter, type Explain } from './client-messages.js';
import type { LivePeer } from './peer.js';

/** While a client still has more than this to read, nothing more is sent to it. */
const MAX_QUEUED_BYTES = 256 << 10;

export interface WatchConnection {
  readonly manager: TerminalManager;
  readonly request: WatchTerminals;
  readonly explain: Explain;
}

/** Serves a connection to its end. Never rejects: errors are sent to the client. */
export async function serveWatch(peer: LivePeer, connection: WatchConnection): Promise<void> {
  const say = (message: WatchServerMessage): void => peer.send(JSON.stringify(message));
  try {
    await new LiveWatch(peer, say, connection).follow();
    peer.close(LIVE_CLOSE.goingAway, 'the server is stopping');
  } catch (error) {
    closeAfter(error, { peer, say, explain: connection.explain });
  }
}

class LiveWatch {
  readonly #peer: LivePeer;
  readonly #sendMessage: (message: WatchServerMessage) => void;
  readonly #manager: TerminalManager;
  readonly #messages: ClientMessages<typeof WATCH_REQUESTS>;
  /** What to watch, starting at the cursor of the last event sent. */
  #request: WatchTerminals;
  #watch: Watch | undefined;
  /** Whether the request has changed since the watch began. */
  #isOutdated = false;

  constructor(peer: LivePeer, say: (message: WatchServerMessage) => void, connection: WatchConnection) {
    this.#peer = peer;
    this.#sendMessage = say;
    this.#manager = connection.manager;
    this.#request = connection.request;
    const perform = (message: WatchClientMessage): void => this.#perform(message);
    this.#messages = new ClientMessages({ peer, say, perform, requests: WATCH_REQUESTS, explain: connection.explain });
    peer.closed.addEventListener('abort', () => this.#watch?.close(), { once: true });
  }

  /** Resolves when the connection or the manager has been closed. */
  async follow(): Promise<void> {
    const first = await this.#manager.watch(this.#request);
    this.#sendMessage({ type: 'hello', cursor: first.cursor });
    this.#request = { ...this.#request, after: first.cursor };
    this.#peer.receive((message) => this.#messages.take(message));
    for (let watch = first; await this.#forward(watch);) {
      this.#isOutdated = false;
      watch = await this.#manager.watch(this.#request);
    }
  }

  /** Sends the events of a watch. Returns whether it ended because the client requested a different one. */
  async #forward(watch: Watch): Promise<boolean> {
    this.#watch = watch;
    if (this.#isOutdated || this.#peer.closed.aborted) watch.close();
    for await (const seen of watch) {
      this.#sendMessage(seen);
      this.#request = { ...this.#request, after: seen.cursor };
      if (this.#peer.queuedBytes > MAX_QUEUED_BYTES) await this.#peer.drained();
    }
    return this.#isOutdated && !this.#peer.closed.aborted;
  }

  #perform(message: WatchClientMessage): void {
    if (message.type === 'ping') return this.#sendMessage({ type: 'pong' });
    this.#request = { ...this.#request, lines: message.lines };
    this.#isOutdated = true;
    this.#watch?.close();
  }
}
