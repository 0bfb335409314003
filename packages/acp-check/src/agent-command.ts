/** How a client is told which agent to start: by words of its command line. It starts nothing. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './usage-error.js';

/** Each stands for the agent within the client's command line, in the form that the client wants. */
export const PLACEHOLDERS = {
  /** A program without arguments, as one word that no shell takes apart. */
  program: '{agent}',
  /** A line for a shell, within one word. */
  line: '{agent-line}',
  /** Words of their own; it must be a whole word. */
  words: '{agent-words}',
} as const;

/**
 * The client's command line with the agent in its place.
 *
 * @param client - As it was given.
 * @param agent - The agent's program and its arguments.
 * @param directory - Where a program for it may be written.
 * @throws `UsageError` where no word has a placeholder.
 */
export function withAgent(client: readonly string[], agent: readonly string[], directory: string): string[] {
  const names = Object.values(PLACEHOLDERS);
  if (!client.some((word) => names.some((name) => word.includes(name)))) {
    throw new UsageError(`${PLACEHOLDERS.program} is to stand where the client takes its agent`);
  }
  const line = agent.map(quoted).join(' ');
  const program = writeProgram(join(directory, 'agent'), line);
  const { words: asWords, line: asLine, program: asProgram } = PLACEHOLDERS;
  return client.flatMap((word) =>
    word === asWords ? agent : [word.replaceAll(asLine, line).replaceAll(asProgram, program)],
  );
}

/** A program that does nothing but become another. */
function writeProgram(path: string, line: string): string {
  writeFileSync(path, `#!/bin/sh\nexec ${line}\n`);
  chmodSync(path, 0o700);
  return path;
}

/** As one word of a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
