/** Passes an agent's updates about terminals to a display before the SDK reads them. */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { ShownTerminals } from './shown-terminals.js';

const UPDATE = 'session/update';
/** Updates of version 2. The SDK's version 1 discards them and prints an error to stderr for each. */
const KEPT_FROM_SDK: readonly unknown[] = ['terminal_update', 'terminal_output_chunk'];

/**
 * Returns the stream to connect a client of the SDK with in place of `stream`. `shown` receives each `session/update`,
 * in order and before the SDK. All messages are passed on, except updates about terminals of version 2, which the SDK
 * would reject. Errors that the listener of `shown` throws are ignored, so that they do not end the connection.
 */
export function watchUpdates(stream: Stream, shown: Pick<ShownTerminals, 'take'>): Stream {
  const watch = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const update = sessionUpdate(message);
      if (update !== null) emit(shown, update);
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

/** Returns the session update in a message, or null if there is none or it names no session. */
function sessionUpdate(message: AnyMessage): SessionUpdate | null {
  const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
  if (method !== UPDATE || id !== undefined) return null;
  const { sessionId, update } = (params ?? {}) as { sessionId?: unknown; update?: unknown };
  if (typeof sessionId !== 'string') return null;
  return { sessionId, update, kind: (update as { sessionUpdate?: unknown } | null | undefined)?.sessionUpdate };
}

function emit(shown: Pick<ShownTerminals, 'take'>, { sessionId, update }: SessionUpdate): void {
  try {
    shown.take(sessionId, update);
  } catch {
    // An error in the listener must not end the connection.
  }
}
