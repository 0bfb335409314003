/** Stores the command log of a terminal beside its history. Does not depend on terminals. */
import { join } from 'node:path';
import { keptCommand, MAX_KEPT_COMMANDS } from './command-log.js';
import type { KeptCommand } from './command-log.js';
import { readRecordLog, RecordLog } from '../store/record-log.js';

const NAME = 'commands.jsonl';
const OPTIONS = {
  keyOf: ({ commandId }: KeptCommand): number => commandId,
  maxRecords: MAX_KEPT_COMMANDS,
} as const;

/** @param directory - The terminal's directory. */
export function openCommandFile(directory: string): RecordLog<KeptCommand> {
  return new RecordLog<KeptCommand>(join(directory, NAME), OPTIONS);
}

/** Returns the commands, oldest first. */
export function readCommandFile(directory: string): KeptCommand[] {
  return readRecordLog(join(directory, NAME), keptCommand, OPTIONS);
}
