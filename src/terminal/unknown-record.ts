/**
 * Creates a substitute for a terminal's damaged or missing record, based on the directory's name and the files' times,
 * that marks the terminal as lost. Reads no history.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { INITIAL_MODES, type TerminalScreen } from '../contract/output.js';
import { DEFAULT_COLS, DEFAULT_ROWS, terminalId } from '../contract/terminal.js';
import { segmentFiles } from '../store/segment-scan.js';
import { RECORD_NAME } from '../store/terminal-record.js';
import type { TerminalRecord } from '../store/terminal-record.js';

/** Returns null if nothing indicates that this is a terminal's directory. */
export function unknownRecord(path: string, name: string, maxDiskBytes: number): TerminalRecord | null {
  if (!terminalId.safeParse(name).success || !isTerminals(path)) return null;
  const [created, saved] = timesOf(path);
  const nobody = { pid: 0, startTime: null, file: '', args: [], startCwd: '', cwd: null, name: null, labels: {} };
  const unknown = { ...nobody, inputCount: 0, exit: null, ending: null, timeLimitMs: null, lastCommand: null };
  const times = { created, lastActivity: saved, saved };
  return { version: 1, id: name, ...unknown, createdBy: null, ...times, maxDiskBytes, tail: emptyTail() };
}

function isTerminals(path: string): boolean {
  try {
    return segmentFiles(path).length > 0 || readdirSync(path).includes(RECORD_NAME);
  } catch {
    return false;
  }
}

/** Returns when the first of its files was created, as far as known, and when any of them was last written. */
function timesOf(path: string): [first: number, last: number] {
  const all = [path, ...readdirSync(path).map((name) => join(path, name))];
  const stats = all.map((one) => statSync(one, { throwIfNoEntry: false })).filter((one) => one !== undefined);
  const made = stats.map(({ birthtimeMs, mtimeMs }) => (birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs));
  return [Math.floor(Math.min(...made)), Math.floor(Math.max(...stats.map(({ mtimeMs }) => mtimeMs)))];
}

/** Returns an empty tail, because only final lines are known. */
function emptyTail(): TerminalRecord['tail'] {
  const none = { nextLine: 0, outputEnd: 0, lines: [], resumeAt: 0, revision: 0, changes: [], clearedAt: 0 };
  return { ...none, screen: { text: emptyScreen(), ansi: emptyScreen() } };
}

function emptyScreen(): TerminalScreen {
  return {
    ...{ cols: DEFAULT_COLS, rows: DEFAULT_ROWS, cursor: { x: 0, y: 0, visible: true }, title: '', alternate: false },
    modes: INITIAL_MODES,
    lines: Array.from({ length: DEFAULT_ROWS }, () => ''),
    offset: 0,
  };
}
