/** Stores the command log of a terminal next to its history. */
import { join } from 'node:path';
import { loggedCommand, MAX_LOGGED_COMMANDS } from './command-log.js';
import type { LoggedCommand } from './command-log.js';
import { readRecordLog, RecordLog } from '../store/record-log.js';

const NAME = 'commands.jsonl';
const OPTIONS = {
  keyOf: ({ commandId }: LoggedCommand): number => commandId,
  maxRecords: MAX_LOGGED_COMMANDS,
} as const;

/** @param directory - The terminal's directory. */
export function openCommandFile(directory: string): RecordLog<LoggedCommand> {
  return new RecordLog<LoggedCommand>(join(directory, NAME), OPTIONS);
}

/** Returns the commands, oldest first. */
export function readCommandFile(directory: string): LoggedCommand[] {
  return readRecordLog(join(directory, NAME), loggedCommand, OPTIONS);
}
