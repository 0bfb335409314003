/**
 * What an agent may say in the five terminal methods of ACP v1, and what it is answered. Schemas only: no logic, and
 * nothing here knows the SDK. Fields that the protocol does not have are passed over, as the protocol wants it.
 */
import { z } from 'zod';
import { envName, MAX_ARGUMENT_BYTES, terminalSize } from '../contract/terminal.js';

const sessionId = z.string();
/** Of another kind than it should be, it is as if it were not there. */
const meta = z.record(z.string(), z.unknown()).nullish().catch(undefined);

/** A line is handed to its shell as one argument; the system counts the NUL that closes it. */
export const MAX_LINE_BYTES = MAX_ARGUMENT_BYTES - 1;
const text = z.string().regex(/^[^\0]*$/, { error: 'text without a NUL character' });
const variable = z.object({
  name: envName.refine((name) => name !== '__proto__', { error: 'expected another name than __proto__' }),
  value: text,
});

/** What of `_meta` is ours: the screen of a new terminal. */
export const ownMeta = z.object({ tenacitty: terminalSize.partial().optional() });

const creation = z.object({
  sessionId,
  command: text.min(1),
  args: z.array(text).nullish(),
  env: z.array(variable).nullish(),
  cwd: z.string().nullish(),
  /** Larger than any memory is legal, and so is a number too large to be exact. */
  outputByteLimit: z.number().min(0).multipleOf(1).nullish(),
  _meta: meta,
});

export const createTerminalParams = creation.refine(
  ({ command, args }) => Boolean(args?.length) || Buffer.byteLength(command) <= MAX_LINE_BYTES,
  { path: ['command'], error: `expected a line of at most ${MAX_LINE_BYTES} bytes; give a longer one in a file` },
);
export type CreateTerminalParams = z.input<typeof createTerminalParams>;

export const terminalParams = z.object({ sessionId, terminalId: z.string(), _meta: meta });
export type TerminalParams = z.input<typeof terminalParams>;

export interface CreatedTerminal {
  terminalId: string;
}

/** As the schema of v1 has it: flat, a code or a signal. */
export interface ExitStatus {
  exitCode: number | null;
  signal: string | null;
  /** Only where the policy's time limit has ended the command: that limit. */
  _meta?: { tenacitty: { timeLimitMs: number } };
}

export interface TerminalOutput {
  output: string;
  truncated: boolean;
  /** Only when the command has ended. */
  exitStatus?: ExitStatus;
}
