/**
 * Defines the record that is stored on disk next to a terminal's output: its identity, how it ended, and its last
 * screen. The record does not contain the environment, because that may contain secrets.
 */
import { z } from 'zod';
import { caller } from '../contract/caller.js';
import { lastCommand } from '../contract/command-state.js';
import { endReason } from '../contract/ending.js';
import { terminalScreen } from '../contract/output.js';
import { terminalId } from '../contract/terminal.js';

/** The record's file name in the terminal's directory. */
export const RECORD_NAME = 'terminal.json';

/** The part that is not in final lines, in the form of `HistoryTail`. */
const tail = z.strictObject({
  nextLine: z.int(),
  outputEnd: z.int(),
  lines: z.array(z.strictObject({ start: z.number(), time: z.number(), ansi: z.string() })),
  resumeAt: z.int(),
  revision: z.int(),
  changes: z.array(z.strictObject({ line: z.int(), revision: z.int() })),
  clearedAt: z.int(),
  screen: z.strictObject({ text: terminalScreen, ansi: terminalScreen }),
});

/** Times are milliseconds since the epoch. */
export const terminalRecord = z.object({
  version: z.literal(1),
  id: terminalId,
  pid: z.int(),
  /** Start time of the program according to the kernel; distinguishes its processes from others. */
  startTime: z.number().nullable(),
  file: z.string(),
  args: z.array(z.string()),
  startCwd: z.string(),
  /** The directory that the program was last seen in. */
  cwd: z.string().nullable(),
  created: z.number(),
  name: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  lastActivity: z.number(),
  /** When this record was written. */
  saved: z.number(),
  inputCount: z.int(),
  /** How the program ended; null while it is running. */
  exit: z.strictObject({ exitCode: z.int().nullable(), signal: z.string().nullable(), ended: z.number() }).nullable(),
  /** What ended the terminal; null if only its program did. */
  ending: z.strictObject({ reason: endReason, setting: z.string().optional() }).nullable(),
  timeLimitMs: z.int().nullable(),
  maxDiskBytes: z.int(),
  lastCommand: lastCommand.nullable(),
  /** Older records have none. */
  createdBy: caller.nullable().default(null),
  tail,
});
export type TerminalRecord = z.infer<typeof terminalRecord>;
