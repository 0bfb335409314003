/** Parses an agent's request to create a terminal. Pure. */
import { isAbsolute } from 'node:path';
import { check } from '../check.js';
import { invalidInput } from '../errors.js';
import type { Program, ProgramPlace } from './program.js';
import { createTerminalParams, ownMeta } from './requests.js';
import type { CreateTerminalParams } from './requests.js';

export interface Creation {
  readonly sessionId: string;
  readonly program: Program;
  /** Null: the session's directory. */
  readonly cwd: string | null;
  /** Bytes of output to keep. Null: not specified by the agent. */
  readonly limit: number | null;
  readonly size: Pick<ProgramPlace, 'cols' | 'rows'>;
  /** The command as a person would type it. */
  readonly shown: string;
}

/** @throws `INVALID_INPUT` */
export function readCreation(params: CreateTerminalParams): Creation {
  const asked = check('', createTerminalParams, params);
  const { tenacitty: size = {} } = check('', ownMeta, asked._meta ?? {});
  // Some agents send an empty list to mean none.
  const args = asked.args?.length ? asked.args : null;
  const env = Object.fromEntries((asked.env ?? []).map(({ name, value }) => [name, value]));
  return {
    sessionId: asked.sessionId,
    program: { command: asked.command, args, env },
    cwd: typeof asked.cwd === 'string' ? absoluteDirectory(asked.cwd) : null,
    limit: asked.outputByteLimit ?? null,
    size,
    shown: args === null ? asked.command : [asked.command, ...args].map(shellWord).join(' '),
  };
}

/** @throws `INVALID_INPUT` for a relative path, because there is no base to resolve it against. */
export function absoluteDirectory(cwd: string): string {
  if (isAbsolute(cwd)) return cwd;
  const expected = 'an absolute path';
  const message = `expected ${expected}, given ${JSON.stringify(cwd)}`;
  throw invalidInput({ field: 'cwd', message, given: cwd, expected });
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
