/** Parses which changes a client wants to be notified of, in protocol revisions without a handshake. Pure. */
import { z } from 'zod';

export const LISTEN = 'subscriptions/listen';

const listenRequest = z.object({
  method: z.literal(LISTEN),
  params: z.object({
    notifications: z.object({
      resourceSubscriptions: z.array(z.string()).default([]),
      resourcesListChanged: z.boolean().default(false),
    }),
  }),
});

export interface ListenRequest {
  /** Resources whose changes the client wants to be notified of. */
  readonly uris: readonly string[];
  /** Whether the client wants to be notified of changes to the list of resources. */
  readonly toList: boolean;
}

/** Returns what a message subscribes to, or nothing if it is another message or invalid. */
export function parseListenRequest(message: unknown): ListenRequest {
  const { success, data } = listenRequest.safeParse(message);
  if (!success) return { uris: [], toList: false };
  const { resourceSubscriptions: uris, resourcesListChanged: toList } = data.params.notifications;
  return { uris, toList };
}
