/** Sends complete text responses: compressed if that is worth it, and not again to a caller that already has them. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Request } from 'express';
import { elementsOf } from '../access/request-headers.js';
import type { Exchange } from './exchange.js';

/** Smaller responses fit into a few packets, so compressing them saves no time. */
export const MIN_COMPRESSED_BYTES = 4096;
const NOT_MODIFIED = 304;
const compress = promisify(gzip);

/**
 * Sends text, compressed if it is long, the caller accepts gzip, and the response has to cross a network: programs that
 * are trusted as local run on this machine.
 */
export async function sendText(exchange: Exchange, status: number, mediaType: string, text: string): Promise<void> {
  const { request, response, principal } = exchange;
  const bytes = Buffer.from(text);
  const type = `${mediaType}; charset=utf-8`;
  if (bytes.length <= MIN_COMPRESSED_BYTES || principal?.kind === 'local')
    return exchange.sendBytes(status, type, bytes);
  response.appendHeader('Vary', 'Accept-Encoding');
  if (!(request as Request).acceptsEncodings('gzip')) return exchange.sendBytes(status, type, bytes);
  const compressed = await compress(bytes, { level: constants.Z_BEST_SPEED });
  response.setHeader('Content-Encoding', 'gzip');
  exchange.sendBytes(status, type, compressed);
}

/**
 * Marks a response that does not change while the server runs with a tag of its text. If the caller sends the same tag,
 * responds that it already has the text. Returns whether it did.
 */
export function sendUnchanged(exchange: Exchange, text: string): boolean {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  // The caller may keep the text, but must ask each time whether it still applies.
  exchange.setHeaders({ ETag: tag, 'Cache-Control': 'no-cache' });
  if (!elementsOf(String(exchange.request.headers['if-none-match'] ?? '')).includes(tag)) return false;
  exchange.sendEmpty(NOT_MODIFIED);
  return true;
}
