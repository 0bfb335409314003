/**
 * Provides memory for bytes that are waiting to be written to disk. Copies them, because their source may be reused in
 * the meantime. The memory itself is also reused, because allocating costs more than copying.
 */

/** Size and number of the buffers kept for reuse; larger buffers are not kept. */
const SPARE_BYTES = 1 << 20;
const MAX_SPARE = 2;

const spare: Buffer[] = [];

/** Returns one copy of these chunks, joined; pass it to `releaseCopy` when it has been written. */
export function copyForWriting(chunks: readonly Uint8Array[]): Buffer {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const staged = take(length);
  let at = 0;
  for (const chunk of chunks) {
    staged.set(chunk, at);
    at += chunk.length;
  }
  return staged;
}

/** Takes back what `copyForWriting` returned; it must not be used afterwards. */
export function releaseCopy(staged: Buffer): void {
  const isOfSize = staged.buffer.byteLength === SPARE_BYTES;
  if (isOfSize && spare.length < MAX_SPARE) spare.push(Buffer.from(staged.buffer));
}

function take(length: number): Buffer {
  if (length > SPARE_BYTES || length < SPARE_BYTES / 16) return Buffer.allocUnsafeSlow(length);
  return (spare.pop() ?? Buffer.allocUnsafeSlow(SPARE_BYTES)).subarray(0, length);
}
