/** What a client listens to, in the revisions without a handshake. Pure. */
import { z } from 'zod';

export const LISTEN = 'subscriptions/listen';

const listenRequest = z.object({
  method: z.literal(LISTEN),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
});

/** The resources whose updates a message asks for; none where it asks for something else, or is wrong. */
export function watchedUris(message: unknown): readonly string[] {
  const { success, data } = listenRequest.safeParse(message);
  return success ? data.params.notifications.resourceSubscriptions : [];
}
