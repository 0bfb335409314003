/**
 * Provides memory for output that is handed out as copies. Allocating memory costs more than copying, so a caller that
 * has finished with a copy can return it.
 */

/** Size of the pieces when there is much output; smaller pieces use only the memory they need. */
const BUFFER_BYTES = 64 << 10;
const MIN_POOLED_BYTES = BUFFER_BYTES / 2;
const MAX_SPARE = 16;

const spare: ArrayBuffer[] = [];

/** Returns uninitialised memory for `length` bytes. */
export function allocateBuffer(length: number): Uint8Array {
  if (length < MIN_POOLED_BYTES || length > BUFFER_BYTES) return new Uint8Array(length);
  return new Uint8Array(spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES).buffer, 0, length);
}

/** Takes back a copy from its only user. It must not be used afterwards. */
export function releaseBuffer({ buffer }: Uint8Array): void {
  const isOfSize = buffer instanceof ArrayBuffer && buffer.byteLength === BUFFER_BYTES;
  if (isOfSize && spare.length < MAX_SPARE) spare.push(buffer);
}
