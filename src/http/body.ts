/** Reads the body of a request, with a size limit, as bytes, UTF-8 JSON or a form. */
import { isUtf8 } from 'node:buffer';
import { TerminalError, invalidInput } from '../errors.js';
import type { Exchange } from './exchange.js';
import { parseJson } from './json.js';

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Maximum number of bytes of a refused body that are still read, so that the caller finishes sending and can receive
 * the reason. A longer body is cut off.
 */
const MAX_DISCARDED_BYTES = 16 << 20;

/**
 * Returns the JSON value in the body, or `{}` if there is no body.
 *
 * @throws `UNSUPPORTED_MEDIA_TYPE` if it is not sent as JSON, `PAYLOAD_TOO_LARGE` if it is too large, or
 * `INVALID_INPUT` if it is not UTF-8 or not strict JSON.
 */
export async function readBody(exchange: Exchange, maxBytes: number): Promise<unknown> {
  if (!exchange.hasBody) return {};
  checkMediaType(exchange, JSON_TYPE);
  const bytes = await readBytes(exchange, maxBytes);
  return bytes.length === 0 ? {} : parseJson(decode(bytes));
}

/** Returns the fields of a form; if a field is repeated, its last value. @throws The same errors as `readBody`. */
export async function readForm(exchange: Exchange, maxBytes: number): Promise<unknown> {
  if (!exchange.hasBody) return {};
  checkMediaType(exchange, FORM_TYPE);
  return Object.fromEntries(new URLSearchParams(decode(await readBytes(exchange, maxBytes))));
}

/**
 * Returns the body as it was sent, regardless of its type.
 *
 * @throws `UNSUPPORTED_MEDIA_TYPE` if it is compressed, or `PAYLOAD_TOO_LARGE` if it is too large.
 */
export async function readBytes(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  if (!exchange.hasBody) return Buffer.alloc(0);
  checkEncoding(exchange);
  checkLength(Number(exchange.request.headers['content-length'] ?? 0), maxBytes);
  if (exchange.request.headers.expect) exchange.response.writeContinue();
  return collect(exchange, maxBytes);
}

/**
 * Reads and discards the rest of a body, up to a limit, before a refusal is written. Does not read a body of unknown
 * length from an unauthenticated caller, because it could be split into any number of chunks.
 */
export async function discardBody({ request, hasBody, principal }: Exchange): Promise<void> {
  if (!principal && request.headers['content-length'] === undefined) return;
  const awaitsContinue = request.headers.expect !== undefined && !request.readableDidRead;
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  if (!hasBody || request.complete || awaitsContinue || announcedBytes > MAX_DISCARDED_BYTES) return;
  let discarded = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      discarded += (chunk as Buffer).length;
      if (discarded > MAX_DISCARDED_BYTES) return;
    }
  } catch {
    // The caller has left; writing the refusal will detect that.
  }
}

function checkEncoding({ request: { headers } }: Exchange): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw unsupported('Content-Encoding', encoding, 'an uncompressed body');
  }
}

function checkMediaType({ request: { headers } }: Exchange, expected: string): void {
  const given = headers['content-type'] ?? '';
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim().toLowerCase());
  if (type !== expected) throw unsupported('Content-Type', given, `${expected} (curl: -H "Content-Type: ${expected}")`);
  const charset = parameters.find((parameter) => parameter.startsWith('charset'));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw unsupported('Content-Type', given, `${expected}; charset=utf-8`);
  }
}

const MAX_QUOTED = 100;

function unsupported(header: string, given: string, expected: string): TerminalError {
  const shown = given.slice(0, MAX_QUOTED);
  const message = `${header} is ${shown ? JSON.stringify(shown) : 'missing'}; expected ${expected}`;
  return new TerminalError('UNSUPPORTED_MEDIA_TYPE', message, { header, given: shown, expected });
}

function checkLength(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const message = `The request body is larger than ${maxBytes} bytes (TENACITTY_MAX_BODY_BYTES)`;
  throw new TerminalError('PAYLOAD_TOO_LARGE', message, { limit: 'TENACITTY_MAX_BODY_BYTES', value: maxBytes });
}

async function collect({ request }: Exchange, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    total += (chunk as Buffer).length;
    checkLength(total, maxBytes);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  throw invalidInput({ field: 'body', message: 'is not valid UTF-8', expected: 'JSON in UTF-8' });
}
