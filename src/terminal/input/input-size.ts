/** Limits how much may be typed into a terminal at once, and how much input may be waiting for its program. Pure. */
import { limitReached, TerminalError } from '../../errors.js';
import type { EngineOptions } from '../../contract/options.js';

/**
 * @param bytes - Size of the new input.
 * @param pendingBytes - Size of the input that the program has not read yet.
 * @throws `PAYLOAD_TOO_LARGE` if the input is too large, `LIMIT_REACHED` if too much input would be waiting.
 */
export function checkInputSize(
  bytes: number,
  pendingBytes: number,
  { maxInputBytes, maxPendingInputBytes }: EngineOptions,
): void {
  if (bytes > maxInputBytes) {
    const message = `The input is ${bytes} bytes; at most ${maxInputBytes} can be sent at once (TENACITTY_MAX_INPUT_BYTES).`;
    const details = { limit: 'TENACITTY_MAX_INPUT_BYTES', value: maxInputBytes };
    throw new TerminalError('PAYLOAD_TOO_LARGE', message, details);
  }
  if (pendingBytes + bytes <= maxPendingInputBytes) return;
  const what = 'The program is not reading its input, and too much is pending';
  throw limitReached('TENACITTY_MAX_PENDING_INPUT_BYTES', maxPendingInputBytes, what);
}
