/**
 * Messages of an agent before the SDK sees them: what it tells of a session is taken out as it is, because the SDK would
 * refuse all that is not of its version of the protocol; and so are answers to what was never asked, of which it would
 * write on stderr in the agent's own words. It knows no session.
 */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

const UPDATE = 'session/update';

/** @param onUpdate - Called for each `session/update`, in order, before what came after it is handed on. */
export function filtered({ readable, writable }: Stream, onUpdate: (params: unknown) => void): Stream {
  const filter = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
      if (method === UPDATE && id === undefined) onUpdate(params);
      else if (method !== undefined || typeof id === 'number') controller.enqueue(message);
    },
  });
  return { readable: readable.pipeThrough(filter), writable };
}
