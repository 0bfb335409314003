/** Defines the kinds of setting values: what each accepts, and how messages describe it. Pure. */
import { z } from 'zod';
import { parseDuration, formatDuration } from '../duration.js';
import { parseSize, formatSize } from './size.js';

const DIGITS = /^\d+$/;

export function whole(min: number, max: number, unit = '') {
  const schema = z.string().regex(DIGITS).transform(Number).pipe(z.int().min(min).max(max));
  return { schema, expected: `a whole number from ${min} to ${max}${unit && ` (${unit})`}` };
}

/** Accepts a duration in milliseconds. @param zero - What 0 means. */
export function time(maxMs: number, zero = '') {
  const range = maxMs < Number.MAX_SAFE_INTEGER ? `a time up to ${formatDuration(maxMs)}` : 'a time';
  return {
    schema: withUnit(parseDuration).pipe(z.int().min(0).max(maxMs)),
    expected: `${range}, such as 500ms, 30s or 24h; a number without a unit is milliseconds${zero && `, 0 = ${zero}`}`,
  };
}

/** Accepts a size in bytes. */
export function size(min: number, max: number) {
  return {
    schema: withUnit(parseSize).pipe(z.int().min(min).max(max)),
    expected:
      `a size from ${formatSize(min)} to ${formatSize(max)}, such as 64K or 256M; ` +
      'a number without a unit is bytes',
  };
}

function withUnit(parse: (text: string) => number | undefined) {
  return z.string().transform((text, context) => {
    const value = DIGITS.test(text) ? Number(text) : parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: 'no such value' });
    return z.NEVER;
  });
}

export const nonEmpty = z
  .string()
  .min(1)
  .regex(/^[^\0\r\n]*$/);
export const path = { schema: nonEmpty, expected: 'a path' };

export const trueOrFalse = {
  schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
  expected: 'true or false',
};

/** Accepts a comma-separated list. Parts are trimmed; empty parts are dropped. */
export function list<Item>(item: z.ZodType<Item, string>) {
  const parts = z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );
  return parts.pipe(z.array(item));
}

/** Accepts an origin as browsers write it: in lower case, without a path or a default port. */
export const origin = z
  .string()
  .refine((text) => URL.canParse(text) && new URL(text).origin === text && text !== 'null');
