/** Builds the client's command line, which tells the client which agent to start. Starts nothing itself. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './usage-error.js';

/** Placeholders for the agent within the client's command line, one for each form that a client may need. */
export const PLACEHOLDERS = {
  /** A program without arguments, as one word that no shell splits. */
  program: '{agent}',
  /** A line for a shell, within one word. */
  line: '{agent-line}',
  /** Separate words. The placeholder must be a whole word. */
  words: '{agent-words}',
} as const;

/**
 * Returns the client's command line, in which the agent replaces the placeholder.
 *
 * @param client - The command line as given.
 * @param agent - The agent's program and its arguments.
 * @param directory - A directory where a program for the agent can be written.
 * @throws `UsageError` if no word contains a placeholder.
 */
export function withAgent(client: readonly string[], agent: readonly string[], directory: string): string[] {
  const names = Object.values(PLACEHOLDERS);
  if (!client.some((word) => names.some((name) => word.includes(name)))) {
    throw new UsageError(`Put ${PLACEHOLDERS.program} where the client's command line takes its agent`);
  }
  const line = agent.map(quoted).join(' ');
  const program = writeProgram(join(directory, 'agent'), line);
  const { words: asWords, line: asLine, program: asProgram } = PLACEHOLDERS;
  return client.flatMap((word) =>
    word === asWords ? agent : [word.replaceAll(asLine, line).replaceAll(asProgram, program)],
  );
}

/** Writes a script that does nothing but execute another program. */
function writeProgram(path: string, line: string): string {
  writeFileSync(path, `#!/bin/sh\nexec ${line}\n`);
  chmodSync(path, 0o700);
  return path;
}

/** Quotes text as one word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
