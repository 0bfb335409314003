/**
 * Serves a page on loopback where a person types the password that a program is asking for. Each link works once and
 * expires after a few minutes. Once the process has given out a link, it keeps the port, so that an old link cannot
 * lead to another process's page. Only the program that is asking receives the input.
 */
import { createHash, randomBytes } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from '../../access/connections.js';
import { PAGE, PAGE_HEADERS } from './html.js';

const ADDRESS = '127.0.0.1';
const TICKET_BYTES = 32;
const LIFETIME_MS = 5 * 60_000;
/** Longer than any password. Terminals do not accept longer lines either. */
const MAX_SECRET_BYTES = 1024;
/** Maximum number of open questions; a person has received a link for each. */
const MAX_QUESTIONS = 100;
const REQUEST_TIMEOUT_MS = 10_000;
/** Callers without a ticket displace only each other, never a person who is typing. */
const CONNECTION_LIMITS = {
  maxAdmitted: MAX_QUESTIONS,
  maxOfPrincipal: MAX_QUESTIONS,
  maxUnauthenticated: 50,
  maxUnauthenticatedPerAddress: 50,
  unauthenticatedMs: REQUEST_TIMEOUT_MS,
};

export interface Question {
  /** Tells the person which program is asking, and what for. */
  readonly text: string;
  /** Receives the input. Resolves to whether it was typed; it is discarded if the program is no longer asking. */
  answer(secret: string): Promise<boolean>;
}

export interface PendingQuestion {
  /** Must be shown only to the user, never to the model. */
  readonly url: string;
  /** Resolves to whether the password was typed, which it is not if the link expires or the program stops asking. */
  readonly outcome: Promise<boolean>;
  /** Invalidates the link. */
  close(): void;
}

interface OpenQuestion {
  readonly question: Question;
  readonly close: (isTyped: boolean) => void;
  /** Whether an answer is being processed; if so, no other is accepted. */
  isTaken: boolean;
}

/** The response to a browser. */
interface PageReply {
  readonly status: number;
  readonly text: string;
}

const NOT_HERE: PageReply = { status: 404, text: 'Not found.' };
const FORBIDDEN: PageReply = { status: 403, text: 'Not allowed.' };
const TOO_LATE: PageReply = { status: 410, text: 'The program is no longer asking for a password. Nothing was typed.' };
const NO_PASSWORD: PageReply = { status: 400, text: 'This text cannot be typed as a password. Nothing was typed.' };

export class SecretPages {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #lifetimeMs: number;
  readonly #connections = new Connections(CONNECTION_LIMITS);
  #server: Promise<Server> | undefined;

  constructor({ lifetimeMs = LIFETIME_MS }: { readonly lifetimeMs?: number } = {}) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Creates a link for one question. If there are too many open questions, invalidates the link of the oldest. */
  async ask(question: Question): Promise<PendingQuestion> {
    const listening = (this.#server ??= listen((request) => this.#reply(request), this.#connections));
    if (this.#open.size >= MAX_QUESTIONS) this.#open.values().next().value!.close(false);
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const key = keyOf(ticket);
    const outcome = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => this.#open.get(key)?.close(false), this.#lifetimeMs).unref();
      const close = (isTyped: boolean) => {
        clearTimeout(timer);
        if (this.#open.delete(key)) resolve(isTyped);
      };
      this.#open.set(key, { question, close, isTaken: false });
    });
    const close = () => this.#open.get(key)?.close(false);
    try {
      const { port } = (await listening).address() as AddressInfo;
      return { url: `http://${ADDRESS}:${port}/#${ticket}`, outcome, close };
    } catch (error) {
      this.#server = undefined;
      close();
      throw error;
    }
  }

  /** Releases the port, so it must be called only at the end of the process. */
  close(): void {
    for (const { close } of this.#open.values()) close(false);
    const stopping = this.#server;
    this.#server = undefined;
    // The last response may still be in transit; connections are not kept alive.
    void stopping?.then((server) => server.close()).catch(() => {});
  }

  async #reply(request: IncomingMessage): Promise<PageReply> {
    const { method, url } = request;
    if (method === 'GET' && url === '/') return { status: 200, text: PAGE };
    if (method !== 'POST' || (url !== '/question' && url !== '/answer')) return NOT_HERE;
    const open = this.#open.get(keyOf(String(request.headers['x-ticket'])));
    if (request.headers.origin !== `http://${request.headers.host}` || open === undefined || open.isTaken)
      return FORBIDDEN;
    this.#connections.admit(request.socket);
    if (url === '/question') return { status: 200, text: open.question.text };
    open.isTaken = true;
    try {
      return await take(open, await bodyOf(request));
    } finally {
      open.isTaken = false;
    }
  }
}

async function take({ question, close }: OpenQuestion, secret: string | undefined): Promise<PageReply> {
  if (secret === undefined) return NO_PASSWORD;
  const isTyped = await question.answer(secret).catch(() => false);
  close(isTyped);
  return isTyped ? { status: 200, text: 'Typed.' } : TOO_LATE;
}

/** Returns the hash that is used to look up a ticket, so that the time this takes reveals nothing about the ticket. */
function keyOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64');
}

async function listen(
  reply: (request: IncomingMessage) => Promise<PageReply>,
  connections: Connections,
): Promise<Server> {
  // Imported on demand, because most servers never ask for a password.
  const { createServer } = await import('node:http');
  const limits = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS };
  const server = createServer(limits, (request, response) => void serve(request, response, reply));
  connections.watch(server);
  await once(server.listen(0, ADDRESS), 'listening');
  // The server does not keep the process alive on its own.
  return server.unref();
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  reply: (request: IncomingMessage) => Promise<PageReply>,
): Promise<void> {
  const isOwnHost = request.headers.host === `${ADDRESS}:${request.socket.localPort}`;
  // If a caller leaves before its body is complete, reading fails, and no response can be sent.
  const { status, text } = isOwnHost ? await reply(request).catch(() => NO_PASSWORD) : FORBIDDEN;
  const type = text === PAGE ? 'text/html' : 'text/plain';
  response.writeHead(status, { ...PAGE_HEADERS, 'Content-Type': `${type}; charset=utf-8` }).end(text);
}

/** Returns the body if it is one line of text, or undefined otherwise. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_SECRET_BYTES) return undefined;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const text = body.toString();
  return isUtf8(body) && !/\p{Cc}/u.test(text) ? text : undefined;
}
