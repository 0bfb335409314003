/**
 * Decides how many bytes of output are kept for an agent: validates the caller's limits and applies the defaults. Pure.
 */
import { z } from 'zod';
import { check } from '../check.js';

const MIB = 1 << 20;
/** A byte may take six when it is escaped in JSON, and peers accept lines of at most 32 MiB. */
const MOST_OUTPUT_BYTES = 5 * MIB;

const bytes = z.int().min(0);
const limits = z.object({
  defaultOutputBytes: bytes.default(MIB),
  maxOutputBytes: bytes.max(MOST_OUTPUT_BYTES).default(4 * MIB),
});

export type OutputLimits = z.input<typeof limits>;

/**
 * Returns a function that maps the agent's limit to the number of bytes to keep.
 *
 * @throws `INVALID_INPUT` if a limit is not a whole number of bytes or exceeds what one response can hold.
 */
export function readOutputLimits(given: OutputLimits): (requested: number | null) => number {
  const { defaultOutputBytes, maxOutputBytes } = check('', limits, given);
  return (requested) => Math.min(requested ?? defaultOutputBytes, maxOutputBytes);
}
