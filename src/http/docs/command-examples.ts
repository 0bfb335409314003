/** Contains example responses about commands for the documentation. */

const TERMINAL_ID = 'abc-123';
const DIRECTORY = '/path/to/project';

export const STARTED_EXAMPLE = { terminalId: TERMINAL_ID, commandId: 1 };

const ENDING = {
  exitCode: 0,
  signal: null,
  cwd: DIRECTORY,
  durationMs: 41,
  completed: true,
  state: 'completed',
  within: null,
  waiting: null,
  via: 'marker',
  shellExited: false,
  fullScreen: false,
  truncated: false,
  linesOmitted: 0,
  cutBy: null,
  totalLines: 2,
  totalBytes: 27,
  nextReadFrom: 2,
  cursor: 'lgbbvor.0.0.ztntfp.0',
  hasMore: false,
  between: '',
};

export const RESULT_EXAMPLE = { ...STARTED_EXAMPLE, output: 'index.html\npackage.json', ...ENDING };

export const FOLLOWED_RESULT_EXAMPLE = { ...STARTED_EXAMPLE, ...ENDING };

export const PIECE_EXAMPLE = {
  text: 'index.html\npackage.json',
  fromLine: 0,
  continuesLine: false,
  rewrittenFrom: null,
  droppedLines: 0,
  cursor: 'lgbbvor.0.0.ztntfp.0',
};

export const PROGRAM_STARTED_EXAMPLE = { terminalId: TERMINAL_ID };

const PROGRAM_ENDING = {
  exitCode: 2,
  signal: null,
  durationMs: 12,
  completed: true,
  state: 'completed',
  waiting: null,
  truncated: false,
  linesOmitted: 0,
  cutBy: null,
  totalLines: 1,
  totalBytes: 55,
  nextReadFrom: 1,
  cursor: 'MTowOjA',
  hasMore: false,
};

const PROGRAM_OUTPUT = "ls: cannot access 'a file': No such file or directory";

export const PROGRAM_EXAMPLE = { ...PROGRAM_STARTED_EXAMPLE, output: PROGRAM_OUTPUT, ...PROGRAM_ENDING };

export const FOLLOWED_PROGRAM_EXAMPLE = { ...PROGRAM_STARTED_EXAMPLE, ...PROGRAM_ENDING };

export const PROGRAM_PIECE_EXAMPLE = { ...PIECE_EXAMPLE, text: PROGRAM_OUTPUT, cursor: 'MTowOjA' };

export const RECORD_EXAMPLE = {
  ...STARTED_EXAMPLE,
  text: 'ls',
  textTruncated: false,
  origin: 'exec',
  by: { name: 'ada', door: 'rest' },
  state: 'completed',
  within: null,
  started: '2025-10-03T12:00:00.000Z',
  ended: '2025-10-03T12:00:00.041Z',
  durationMs: 41,
  exitCode: 0,
  signal: null,
  via: 'marker',
  startCwd: DIRECTORY,
  cwd: DIRECTORY,
  fromOffset: 120,
  toOffset: 147,
  fromLine: 1,
  toLine: 3,
};

export const SHELL_WITHIN_EXAMPLE = {
  terminalId: TERMINAL_ID,
  within: 1,
  kind: 'bash',
  version: '5.2.15(1)-release',
  cwd: '/root',
};

export const COMMAND_PAGE_EXAMPLE = {
  output: 'index.html\npackage.json',
  totalLines: 2,
  nextReadFrom: 2,
  hasMore: false,
  truncated: false,
  cutBy: null,
  cursor: 'lgbbvor.0.0.ztntfp.0',
  fromLine: 0,
  continuesLine: false,
  mutableFrom: 2,
  rewrittenFrom: null,
  droppedLines: 0,
  droppedFrom: null,
  isActive: false,
  exitCode: 0,
  signal: null,
  stats: {
    totalBytes: 27,
    estimatedTokens: 6,
    linesShown: 2,
    linesOmitted: 0,
    shownBytes: 23,
    shownTokens: 6,
  },
};

export const WAIT_EXAMPLE = {
  reason: 'regex',
  offset: 1204,
  match: { text: 'http://localhost:5173', line: '  Local: http://localhost:5173/', groups: ['5173'] },
  skippedBytes: 0,
  port: null,
  waiting: null,
  isActive: true,
  exitCode: null,
  signal: null,
};
