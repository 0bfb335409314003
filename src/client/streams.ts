/**
 * Reads responses that arrive in pieces: lines or server-sent events. Uses only what both browsers and Node provide.
 */

/** The server sends something every 15 seconds, so a connection that is silent for longer than this is dead. */
const MAX_SILENCE_MS = 45_000;

/**
 * Yields the pieces of a response, each of which ends with `end`. Treats the response as ended if the connection is
 * silent for too long.
 */
export async function* pieces(answer: Response, end: string): AsyncGenerator<string> {
  const reader = answer.body!.getReader() as { read(): Promise<{ value?: Uint8Array }>; cancel(): Promise<void> };
  const decoder = new TextDecoder();
  const cancel = (): void => void reader.cancel().catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  let text = '';
  try {
    for (;;) {
      timer = setTimeout(cancel, MAX_SILENCE_MS);
      const { value } = await reader.read();
      clearTimeout(timer);
      if (value === undefined) return;
      const complete = (text + decoder.decode(value, { stream: true })).split(end);
      text = complete.pop()!;
      yield* complete;
    }
  } finally {
    clearTimeout(timer);
    cancel();
  }
}

export interface StreamedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Yields server-sent events, for each field of which this server writes one line. */
export async function* streamedEvents(answer: Response): AsyncGenerator<StreamedEvent> {
  for await (const block of pieces(answer, '\n\n')) {
    const fields = new Map(block.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^.*?: ?/, '')]));
    const data = fields.get('data');
    // Anything without data is a heartbeat.
    if (data !== undefined)
      yield { event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) as unknown };
  }
}
