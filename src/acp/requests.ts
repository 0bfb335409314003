/**
 * Defines the requests and responses of the five terminal methods of ACP v1. Contains only schemas and does not depend
 * on the SDK. Fields outside the protocol are ignored, as the protocol requires.
 */
import { z } from 'zod';
import { envName, MAX_ARGUMENT_BYTES, terminalSize } from '../contract/terminal.js';

const sessionId = z.string();
/** A value of the wrong type counts as missing. */
const meta = z.record(z.string(), z.unknown()).nullish().catch(undefined);

/** A line is passed to its shell as one argument; the kernel's limit includes the terminating NUL. */
export const MAX_LINE_BYTES = MAX_ARGUMENT_BYTES - 1;
const text = z.string().regex(/^[^\0]*$/, { error: 'text without a NUL character' });
const variable = z.object({
  name: envName.refine((name) => name !== '__proto__', { error: 'expected a name other than __proto__' }),
  value: text,
});

/** tenacitty's own part of `_meta`: the size of a new terminal. */
export const ownMeta = z.object({ tenacitty: terminalSize.partial().optional() });

const creation = z.object({
  sessionId,
  command: text.min(1),
  args: z.array(text).nullish(),
  env: z.array(variable).nullish(),
  cwd: z.string().nullish(),
  /** Any size is allowed, even one that exceeds the memory or is too large to be represented exactly. */
  outputByteLimit: z.number().min(0).multipleOf(1).nullish(),
  _meta: meta,
});

export const createTerminalParams = creation.refine(
  ({ command, args }) => Boolean(args?.length) || Buffer.byteLength(command) <= MAX_LINE_BYTES,
  { path: ['command'], error: `expected a line of at most ${MAX_LINE_BYTES} bytes; put longer text into a file` },
);
export type CreateTerminalParams = z.input<typeof createTerminalParams>;

export const terminalParams = z.object({ sessionId, terminalId: z.string(), _meta: meta });
export type TerminalParams = z.input<typeof terminalParams>;

export interface CreatedTerminal {
  terminalId: string;
}

/** Flat, as in the v1 schema, with a code or a signal. */
export interface ExitStatus {
  exitCode: number | null;
  signal: string | null;
  /** The policy's time limit. Present only if it ended the command. */
  _meta?: { tenacitty: { timeLimitMs: number } };
}

export interface TerminalOutput {
  output: string;
  truncated: boolean;
  /** Present only after the command has ended. */
  exitStatus?: ExitStatus;
}
