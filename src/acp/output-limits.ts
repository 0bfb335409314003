/** How many bytes of output are kept for an agent: what whoever makes the terminals may say, and what holds otherwise. Pure. */
import { z } from 'zod';
import { check } from '../check.js';

const MIB = 1 << 20;
/** Escaped as JSON a byte may become six, and peers take no line of more than 32 MiB. */
const MOST_OUTPUT_BYTES = 5 * MIB;

const bytes = z.int().min(0);
const limits = z.object({
  defaultOutputBytes: bytes.default(MIB),
  maxOutputBytes: bytes.max(MOST_OUTPUT_BYTES).default(4 * MIB),
});

export type OutputLimits = z.input<typeof limits>;

/** @throws `INVALID_INPUT` for what is no whole number of bytes, or more than one answer can hold. */
export function readOutputLimits(given: OutputLimits): (asked: number | null) => number {
  const { defaultOutputBytes, maxOutputBytes } = check('', limits, given);
  return (asked) => Math.min(asked ?? defaultOutputBytes, maxOutputBytes);
}
