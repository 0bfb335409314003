/**
 * Reads everything that determines where clients keep their configuration. The only module in this folder that reads
 * the environment.
 */
import { homedir } from 'node:os';
import { TerminalError } from '../../errors.js';

export interface UserContext {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
}

/** Reads the context. @throws `INVALID_INPUT` if the user has no home directory. */
export function readUserContext(): UserContext {
  return { home: home(), env: process.env, platform: process.platform, cwd: process.cwd() };
}

function home(): string {
  try {
    return homedir();
  } catch (cause) {
    throw new TerminalError('INVALID_INPUT', 'Your home directory is not known: set HOME.', {}, { cause });
  }
}
