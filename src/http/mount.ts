/**
 * Serves protocols other than REST, each at its own path and behind the same gate. A mount receives each admitted
 * request as a web `Request` and returns a web `Response`.
 */
import type { Principal } from '../access/principal.js';
import { invalidInput } from '../errors.js';
import { readBytes } from './body.js';
import { EVENT_STREAM, write } from './event-stream.js';
import type { Exchange } from './exchange.js';
import { checkBounds } from './json.js';

/** Handles the requests at a path. */
export interface Mount {
  /** A path, such as `/mcp`, that no route uses. */
  readonly path: string;
  /** Accepted methods, in capitals; all others are refused. */
  readonly methods: readonly string[];
  /** @throws {TerminalError} Reported in the same form as every other error. */
  handle(request: Request, asker: MountCaller): Promise<Response>;
  /** Releases everything kept for a principal whose key is no longer valid. Its requests have already been cut off. */
  forget?(principalId: string): void;
  /** Ends everything that would otherwise continue; called when the server stops. */
  close(): Promise<void>;
}

export interface MountCaller {
  readonly principal: Principal;
  /** Aborts when the caller has left or the server is stopping. In the latter case, waits must end with a response. */
  readonly signal: AbortSignal;
  /**
   * Aborts when the caller has left or the response is complete. Replaces the `Request`'s own signal, which would never
   * abort once the request has been garbage collected.
   */
  readonly over: AbortSignal;
  /**
   * Counts a request that contains several calls as that many requests.
   *
   * @throws `LIMIT_REACHED` if too many of the caller's requests are waiting, or `RATE_LIMITED` if it has sent too
   * many.
   */
  countCalls(calls: number): Promise<void>;
}

interface Limits extends Pick<MountCaller, 'countCalls'> {
  readonly maxBodyBytes: number;
}

/** Passes an admitted request to a mount. Limits the size of its body like that of any other request. */
export async function serveMount(mount: Mount, exchange: Exchange, limits: Limits): Promise<void> {
  const { response, signal, over, principal } = exchange;
  if (!principal) throw new Error('A request reached a mount without authentication');
  const body = await readBytes(exchange, limits.maxBodyBytes);
  if (exchange.request.method === 'GET' && body.length > 0) {
    throw invalidInput({ field: 'body', message: 'GET accepts no body', expected: 'no body' });
  }
  // Latin-1 preserves each byte, so text in any encoding is scanned in the same way.
  checkBounds(body.toString('latin1'));
  const { countCalls } = limits;
  const answer = await mount.handle(webRequest(exchange, body), { principal, signal, over, countCalls });
  if (response.destroyed) await answer.body?.cancel();
  else await send(exchange, answer);
}

function webRequest({ request }: Exchange, body: Buffer): Request {
  const { rawHeaders, method } = request;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  // The gate has already checked the host; the base only makes the URL complete.
  return new Request(new URL(request.url!, 'http://localhost'), {
    ...{ headers, ...(method !== undefined && { method }) },
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
}

async function send(exchange: Exchange, answer: Response): Promise<void> {
  const { response } = exchange;
  const { status, headers, body } = answer;
  for (const [name, value] of headers) {
    // The server, not the mount, decides whether the connection stays open.
    if (name !== 'connection') response.setHeader(name, value);
  }
  const isStream = headers.get('content-type')?.startsWith(EVENT_STREAM) === true;
  if (body !== null && isStream) return stream(exchange, status, body);
  response.writeHead(status).end(new Uint8Array(await answer.arrayBuffer()));
}

/** Streams the body as fast as the caller reads it, and cancels it if the caller leaves. */
async function stream({ response, over }: Exchange, status: number, body: ReadableStream<Uint8Array>): Promise<void> {
  response.writeHead(status).flushHeaders();
  const reader = body.getReader();
  over.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) await write(response, next.value);
  } finally {
    response.end();
  }
}
