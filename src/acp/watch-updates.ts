/**
 * What an agent tells of its terminals on a connection of the SDK, handed to whoever shows them before the SDK sees it. It
 * knows neither sessions nor terminals.
 */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { ShownTerminals } from './shown-terminals.js';

const UPDATE = 'session/update';
/** Of version 2. The SDK's version 1 writes an error on stderr for each, and hands it to nobody. */
const KEPT_FROM_SDK: readonly unknown[] = ['terminal_update', 'terminal_output_chunk'];

/**
 * The stream to connect a client of the SDK with, in place of `stream`: `shown` is told of each `session/update`, in order
 * and before the SDK is told. All messages pass, but for those of version 2 on terminals, which the SDK would refuse. What
 * `shown` throws for its listener is passed over: the connection is not lost for it.
 */
export function watchUpdates(stream: Stream, shown: Pick<ShownTerminals, 'take'>): Stream {
  const watch = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const update = sessionUpdate(message);
      if (update !== null) tell(shown, update);
      if (!KEPT_FROM_SDK.includes(update?.kind)) controller.enqueue(message);
    },
  });
  return { readable: stream.readable.pipeThrough(watch), writable: stream.writable };
}

interface SessionUpdate {
  readonly sessionId: string;
  readonly update: unknown;
  readonly kind: unknown;
}

/** Null for what is none, or is of no session. */
function sessionUpdate(message: AnyMessage): SessionUpdate | null {
  const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
  if (method !== UPDATE || id !== undefined) return null;
  const { sessionId, update } = (params ?? {}) as { sessionId?: unknown; update?: unknown };
  if (typeof sessionId !== 'string') return null;
  return { sessionId, update, kind: (update as { sessionUpdate?: unknown } | null | undefined)?.sessionUpdate };
}

function tell(shown: Pick<ShownTerminals, 'take'>, { sessionId, update }: SessionUpdate): void {
  try {
    shown.take(sessionId, update);
  } catch {
    // As it says above.
  }
}
