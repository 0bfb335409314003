/** Parses an agent's request to create a terminal. Pure. */
import { isAbsolute } from 'node:path';
import { check } from '../check.js';
import { invalidInput } from '../errors.js';
import type { CommandSpec, NewTerminalOptions } from './program.js';
import { createTerminalParams, ownMeta } from './requests.js';
import type { CreateTerminalParams } from './requests.js';

export interface CreationRequest {
  readonly sessionId: string;
  readonly program: CommandSpec;
  /** Null for the session's directory. */
  readonly cwd: string | null;
  /** Number of output bytes to keep, or null if the agent does not specify it. */
  readonly limit: number | null;
  readonly size: Pick<NewTerminalOptions, 'cols' | 'rows'>;
  /** The command as a person would type it. */
  readonly shown: string;
}

/** Parses the params of a request. @throws `INVALID_INPUT` if they are invalid. */
export function parseCreationRequest(params: CreateTerminalParams): CreationRequest {
  const requested = check('', createTerminalParams, params);
  const { tenacitty: size = {} } = check('', ownMeta, requested._meta ?? {});
  // Some agents send an empty list if there are no arguments.
  const args = requested.args?.length ? requested.args : null;
  const env = Object.fromEntries((requested.env ?? []).map(({ name, value }) => [name, value]));
  return {
    sessionId: requested.sessionId,
    program: { command: requested.command, args, env },
    cwd: typeof requested.cwd === 'string' ? absoluteDirectory(requested.cwd) : null,
    limit: requested.outputByteLimit ?? null,
    size,
    shown: args === null ? requested.command : [requested.command, ...args].map(shellWord).join(' '),
  };
}

/**
 * Returns the path if it is absolute. @throws `INVALID_INPUT` if it is relative, because there is no base to resolve it
 * against.
 */
export function absoluteDirectory(cwd: string): string {
  if (isAbsolute(cwd)) return cwd;
  const expected = 'an absolute path';
  const message = `expected ${expected}, given ${JSON.stringify(cwd)}`;
  throw invalidInput({ field: 'cwd', message, given: cwd, expected });
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
