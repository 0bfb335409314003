/**
 * Memory in which bytes wait for the disk: a copy, for what they come from may be used again meanwhile. It is used
 * again too, because fresh memory costs more than the copying. It does not know what the bytes are.
 */

/** Kept for reuse by all; larger ones and more than this are not. */
const SPARE_BYTES = 1 << 20;
const MAX_SPARE = 2;

const spare: Buffer[] = [];

/** A copy of these bytes, one behind the other; to be given back when it is written. */
export function stage(chunks: readonly Uint8Array[]): Buffer {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const staged = take(length);
  let at = 0;
  for (const chunk of chunks) {
    staged.set(chunk, at);
    at += chunk.length;
  }
  return staged;
}

/** Takes back what `stage` gave; it must not be used any more. */
export function unstage(staged: Buffer): void {
  const isOfSize = staged.buffer.byteLength === SPARE_BYTES;
  if (isOfSize && spare.length < MAX_SPARE) spare.push(Buffer.from(staged.buffer));
}

function take(length: number): Buffer {
  if (length > SPARE_BYTES || length < SPARE_BYTES / 16) return Buffer.allocUnsafeSlow(length);
  return (spare.pop() ?? Buffer.allocUnsafeSlow(SPARE_BYTES)).subarray(0, length);
}
