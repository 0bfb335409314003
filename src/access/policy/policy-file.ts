/** Reads a policy file. Rejects a file that other users could change. */
import { readFileSync } from 'node:fs';
import { check } from '../../check.js';
import { writersProblem } from '../../data-directory.js';
import { TerminalError } from '../../errors.js';
import { withFile } from '../../file-access.js';
import { commandPolicyDescription } from './policy-description.js';
import type { CommandPolicyDescription } from './policy-description.js';

/**
 * Reads and validates the file.
 *
 * @throws {TerminalError} `INVALID_INPUT`, naming the problem, if the file cannot be used.
 */
export function readPolicyFile(path: string): CommandPolicyDescription {
  const description = parse(path, read(path));
  try {
    check('', commandPolicyDescription, description);
    return description as CommandPolicyDescription;
  } catch (error) {
    throw unusable(path, (error as Error).message, error);
  }
}

function read(path: string): string {
  try {
    return withFile(path, (file, stats) => {
      const problem = stats.isFile()
        ? writersProblem(stats, process.getuid?.() ?? 0, path)
        : 'it is not a regular file';
      if (problem !== null) throw new Error(problem);
      return readFileSync(file, 'utf8');
    });
  } catch (error) {
    throw unusable(path, (error as Error).message, error);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unusable(path, `it is not JSON: ${(error as Error).message}`, error);
  }
}

function unusable(path: string, why: string, cause: unknown): TerminalError {
  return new TerminalError('INVALID_INPUT', `The policy ${path} cannot be used: ${why}`, {}, { cause });
}
