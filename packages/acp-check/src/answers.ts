/**
 * Defines schemas of the responses to `terminal/*`, which are as strict as the protocol's own schema. Sends nothing.
 */
import { z } from 'zod';

const UINT32_MAX = 2 ** 32 - 1;

const meta = z.record(z.string(), z.unknown()).nullish();
const exitFields = {
  exitCode: z.int().min(0).max(UINT32_MAX).nullish(),
  signal: z.string().nullish(),
  _meta: meta,
};

/** Additional fields at the root of a type violate the protocol ("Extensibility"). */
export const ANSWERS = {
  'terminal/create': z.strictObject({ terminalId: z.string(), _meta: meta }),
  'terminal/output': z.strictObject({
    output: z.string(),
    truncated: z.boolean(),
    exitStatus: z.strictObject(exitFields).nullish(),
    _meta: meta,
  }),
  'terminal/wait_for_exit': z.strictObject(exitFields),
  'terminal/kill': z.strictObject({ _meta: meta }),
  'terminal/release': z.strictObject({ _meta: meta }),
} as const;

export type TerminalMethod = keyof typeof ANSWERS;

/** Returns how a response violates its schema, and the response itself, or undefined if it is valid. */
export function problemWith(method: TerminalMethod, result: unknown): string | undefined {
  const { success, error } = ANSWERS[method].safeParse(result);
  if (success) return undefined;
  const issues = error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  return `${method} returned ${shortened(result)}: ${issues.join('; ')}`;
}

const SHOWN_CHARACTERS = 160;

/** Formats a value as JSON, shortened for a report. */
export function shortened(value: unknown, maxChars = SHOWN_CHARACTERS): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
}
