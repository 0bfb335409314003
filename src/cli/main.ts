/**
 * Runs the command line: finds the command, runs it, and exits with its exit code. No other module exits the process.
 * Commands are loaded only when they run, so that `--help` does not load the server.
 */
import { TerminalError } from '../errors.js';
import { commandNamed, commandOf } from './command.js';
import type { ParsedCall, Command } from './command.js';
import { exitCodeOfError, StdoutClosed } from './exit-code.js';
import { HELP_FLAGS, parse } from './parse.js';
import { printMessage } from './stdout.js';
import { GROUPS } from './table.js';

const VERSION_FLAGS = ['--version', '-v', '-V'];

/** Returns the exit code, or nothing if the process should keep running. */
async function run([first, ...rest]: readonly string[]): Promise<number | void> {
  if (first === undefined) return call('help', []);
  if (HELP_FLAGS.includes(first)) return call('help', []);
  if (VERSION_FLAGS.includes(first)) return call('version', []);
  if (first.startsWith('-')) throw (await import('./commands/help.js')).commandMissing(GROUPS, [first, ...rest]);
  return call(first, rest);
}

async function call(name: string, words: readonly string[]): Promise<number | void> {
  const command = commandNamed(GROUPS, name);
  if (!command) throw (await import('./commands/help.js')).unknownCommand(GROUPS, name);
  const parsed = await readCall(command, words);
  if (parsed === 'help') {
    const action = words.filter((word) => commandOf(command, word)).slice(0, 1);
    return (await import('./commands/help.js')).help({ operands: [name, ...action] }, GROUPS);
  }
  return (await command.load())(parsed, GROUPS);
}

/** Loads the settings only if a flag could be one, so not for help and not for a command without flags. */
async function readCall(command: Command, words: readonly string[]): Promise<ParsedCall | 'help'> {
  try {
    return parse(command, words);
  } catch (error) {
    if (!command.takesSettings) throw error;
    const { SETTING_FLAGS } = await import('./settings-help.js');
    return parse(command, words, SETTING_FLAGS);
  }
}

/**
 * Prints the message of an error, or the stack if the error is a bug. Prints nothing if the reader has closed stdout.
 */
function explain(error: unknown): void {
  if (error instanceof StdoutClosed) return;
  printMessage(
    error instanceof TerminalError ? error.message : error instanceof Error ? String(error.stack) : String(error),
  );
}

// Ignored here: if the reader closes stdout, print() reports it to the caller.
process.stdout.on('error', () => {});
run(process.argv.slice(2)).then(
  (code) => typeof code === 'number' && process.exit(code),
  (error: unknown) => {
    explain(error);
    process.exit(exitCodeOfError(error));
  },
);
