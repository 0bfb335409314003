/**
 * Defines the messages of a live connection that watches all terminals (subprotocol `tenacitty.v1`): what the server
 * and its clients send as JSON.
 */
import { z } from 'zod';
import { LIVE_REQUESTS, type LiveMessage } from './live.js';
import { watchTerminals, type WatchedEvent } from './watch.js';

/** What a client sends, by `type`. */
export const WATCH_REQUESTS = {
  watch: z
    .strictObject({ type: z.literal('watch'), lines: watchTerminals.shape.lines.unwrap() })
    .describe('Changes the terminals to send `lines` events for.'),
  ping: LIVE_REQUESTS.ping,
} as const;
export type WatchClientMessage = z.infer<(typeof WATCH_REQUESTS)[keyof typeof WATCH_REQUESTS]>;

/** What the server sends: first `hello`, with the cursor where the watch begins; then every event with its cursor. */
export type WatchServerMessage =
  | { readonly type: 'hello'; readonly cursor: string }
  | WatchedEvent
  | Extract<LiveMessage, { readonly type: 'pong' | 'error' }>;
