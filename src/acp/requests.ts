/**
 * What an agent may say in the five terminal methods of ACP v1, and what it is answered. Schemas only: no logic, and
 * nothing here knows the SDK. Fields that the protocol does not have are passed over, as the protocol wants it.
 */
import { z } from 'zod';
import { terminalSize } from '../contract/terminal.js';

const sessionId = z.string();
const meta = z.record(z.string(), z.unknown()).nullish();

/** What of `_meta` is ours: the screen of a new terminal. */
export const ownMeta = z.object({ tenacitty: terminalSize.partial().optional() });

export const createTerminalParams = z.object({
  sessionId,
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  cwd: z.string().nullish(),
  /** Larger than any memory is legal, and so is a number too large to be exact. */
  outputByteLimit: z.number().min(0).multipleOf(1).nullish(),
  _meta: meta,
});
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
}

export interface TerminalOutput {
  output: string;
  truncated: boolean;
  /** Only when the command has ended. */
  exitStatus?: ExitStatus;
}
