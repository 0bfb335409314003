/**
 * Defines the client's end of a live connection, as `live/` sees it: a socket that carries text and bytes in both
 * directions.
 */

export interface LivePeer {
  /** Queues a message. Does nothing once closed. */
  send(message: string | Uint8Array): void;
  /** Number of bytes queued and not yet written to the network. */
  readonly queuedBytes: number;
  /** Resolves when everything queued has been written or the connection has been closed. */
  drained(): Promise<void>;
  /** Closes the connection with a WebSocket close code and a short reason. */
  close(code: number, reason: string): void;
  /** Aborts when the connection is closed by either side. */
  readonly closed: AbortSignal;
  /** Calls `take` for each message, one after the other, and reads at most a few messages ahead. */
  receive(take: (message: string | Uint8Array) => Promise<void>): void;
}
