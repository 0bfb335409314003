/** What a client listens to, in the revisions without a handshake. Pure. */
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

export interface Listening {
  /** Resources of which it wants to know when they change. */
  readonly uris: readonly string[];
  /** Whether it wants to know which there are. */
  readonly toList: boolean;
}

/** What a message asks to be told; nothing where it asks for something else, or is wrong. */
export function listeningOf(message: unknown): Listening {
  const { success, data } = listenRequest.safeParse(message);
  if (!success) return { uris: [], toList: false };
  const { resourceSubscriptions: uris, resourcesListChanged: toList } = data.params.notifications;
  return { uris, toList };
}
