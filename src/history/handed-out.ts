/**
 * Memory for output that is handed out as copies. Fresh memory costs more than the copying, so whoever is done with a
 * copy may give it back. It does not know what the bytes are.
 */

/** As large as the pieces of a flood are; smaller ones take no more than they need. */
const PIECE_BYTES = 64 << 10;
const LEAST_BYTES = PIECE_BYTES / 2;
const MAX_SPARE = 16;

const spare: ArrayBuffer[] = [];

/** For `length` bytes, with anything in them. */
export function takeMemory(length: number): Uint8Array {
  if (length < LEAST_BYTES || length > PIECE_BYTES) return new Uint8Array(length);
  return new Uint8Array(spare.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES).buffer, 0, length);
}

/** Takes back a copy, from whoever alone has it. It must not be used any more. */
export function giveBack({ buffer }: Uint8Array): void {
  const isOfSize = buffer instanceof ArrayBuffer && buffer.byteLength === PIECE_BYTES;
  if (isOfSize && spare.length < MAX_SPARE) spare.push(buffer);
}
