/**
 * What else answers on a path of the server, behind the same gate: another protocol, which is given each admitted
 * request as a web `Request` and answers with a web `Response`. It knows neither what is mounted nor the engine.
 */
import type { Principal } from '../access/principal.js';
import { invalidInput } from '../errors.js';
import { readBytes } from './body.js';
import { EVENT_STREAM, write } from './event-stream.js';
import type { Exchange } from './exchange.js';

/** Answers on a path. */
export interface Mount {
  /** As `/mcp`; no route has it. */
  readonly path: string;
  /** In capitals; others are refused. */
  readonly methods: readonly string[];
  /**
   * @param request - Its signal aborts when the caller has left, or was answered.
   * @throws {TerminalError} It is told in the form of every other error.
   */
  handle(request: Request, asker: Asker): Promise<Response>;
  /** The key of a principal is good no more: ends what is kept for it. Its requests are cut off already. */
  forget?(principalId: string): void;
  /** The server is stopping: ends what would go on by itself. */
  close(): Promise<void>;
}

export interface Asker {
  readonly principal: Principal;
  /** Aborts when the caller has left or the server is stopping: waits are to end, and to be answered. */
  readonly signal: AbortSignal;
}

/** Has a mount answer an admitted request, its body bounded like every other. */
export async function serveMount(mount: Mount, exchange: Exchange, maxBodyBytes: number): Promise<void> {
  const { response, signal, principal } = exchange;
  if (!principal) throw new Error('A request reached a mount without passing the gate');
  const body = await readBytes(exchange, maxBodyBytes);
  if (exchange.request.method === 'GET' && body.length > 0) {
    throw invalidInput({ field: 'body', message: 'GET takes no body', expected: 'no body' });
  }
  const answer = await mount.handle(webRequest(exchange, body), { principal, signal });
  if (response.destroyed) await answer.body?.cancel();
  else await send(exchange, answer);
}

function webRequest({ request, over: signal }: Exchange, body: Buffer): Request {
  const { rawHeaders, method } = request;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  // Which host was meant is the gate's matter; here it only completes the URL.
  return new Request(new URL(request.url!, 'http://localhost'), {
    ...{ headers, signal, ...(method !== undefined && { method }) },
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
}

async function send(exchange: Exchange, answer: Response): Promise<void> {
  const { response } = exchange;
  const { status, headers, body } = answer;
  for (const [name, value] of headers) {
    // Whether the connection is kept is for this server to say.
    if (name !== 'connection') response.setHeader(name, value);
  }
  const isStream = headers.get('content-type')?.startsWith(EVENT_STREAM) === true;
  if (body !== null && isStream) return stream(exchange, status, body);
  response.writeHead(status).end(new Uint8Array(await answer.arrayBuffer()));
}

/** As fast as the caller takes it; one who leaves ends it. */
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
