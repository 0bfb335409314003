/**
 * Defines the schemas for terminals: how to create, describe, type into, resize, signal and end one. Contains no logic
 * and does not depend on the API layer or the engine.
 */
import { z } from 'zod';
import { caller } from './caller.js';
import { lastCommand } from './command-state.js';
import { holder } from './control.js';
import { callersReason, clientConnection, endedBy } from './ending.js';
import { changedLabels, terminalLabels } from './labels.js';
import { terminalName } from './name.js';
import { stringRecord } from './string-record.js';

/** Maximum screen size. Beyond it, programs misbehave and memory is wasted. */
export const MAX_COLS = 1000;
export const MAX_ROWS = 1000;
export const DEFAULT_COLS = 80;
export const DEFAULT_ROWS = 24;

const NO_NUL = /^[^\0]*$/;
const text = (what: string, max: number) =>
  z.string().max(max).regex(NO_NUL, { error: 'text without a NUL character' }).describe(what);

const PATH_MAX = 4096;
/**
 * Linux rejects a single argument or variable of this many bytes or more (MAX_ARG_STRLEN, which includes the closing
 * NUL).
 */
export const MAX_ARGUMENT_BYTES = 128 * 1024;
const MAX_ARGS = 4096;

export const terminalId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: '1 to 64 letters, digits, - or _' })
  .describe('The id of the terminal.');

/** Identifies a terminal in a request. */
export const terminalIdOrName = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/, {
    error: 'the id or the name of a terminal: 1 to 64 letters, digits, ., _ or -',
  })
  .describe('The id or the name of a terminal. If several have the name: the running one, otherwise the newest.');

const cols = z.int().min(2).max(MAX_COLS).describe('Columns of the screen.');
const rows = z.int().min(1).max(MAX_ROWS).describe('Rows of the screen.');

export const envName = z
  .string()
  .max(1024)
  .regex(/^[^=\0]+$/, { error: 'a non-empty name without = and NUL' });

const timeLimitMs = z.int().min(1).describe('Ends the terminal after this many milliseconds. Default: never.');

const historyPlace = z.enum(['disk', 'memory']);

const labels = terminalLabels.describe(
  'Up to 16 labels to filter by: names (letters, digits, `.`, `_`, `-`) with values of up to 256 characters.',
);

/** Parameters for creating a terminal. All are optional. */
export const createTerminal = z
  .strictObject({
    shell: text(
      'Shell to start: a path, or a name on PATH. Default: TENACITTY_SHELL_PATH, else the login shell, else ' +
        '/bin/sh.',
      PATH_MAX,
    )
      .min(1)
      .optional(),
    command: text('Program to run instead of a shell: a path, or a name on PATH. Excludes `shell`.', PATH_MAX)
      .min(1)
      .optional(),
    args: z
      .array(text('One argument.', MAX_ARGUMENT_BYTES))
      .max(MAX_ARGS)
      .optional()
      .describe('Arguments of the program or shell.'),
    cwd: text("Directory to start in. Default: the server's directory.", PATH_MAX).min(1).optional(),
    env: stringRecord(envName, text('A value.', MAX_ARGUMENT_BYTES))
      .optional()
      .describe("Environment variables, added to the server's environment without its TENACITTY_ settings."),
    cols: cols.optional().describe(`Columns of the screen. Default: those of \`like\`, else ${DEFAULT_COLS}.`),
    rows: rows.optional().describe(`Rows of the screen. Default: those of \`like\`, else ${DEFAULT_ROWS}.`),
    like: terminalIdOrName
      .optional()
      .describe(
        'Id or name of a running or ended terminal. Its program, arguments, last directory and size are the ' +
          'defaults of this request; its environment, name and labels are not copied.',
      ),
    history: historyPlace
      .optional()
      .describe('`disk`: the history is also written to disk and survives a crash. Default: TENACITTY_HISTORY.'),
    integration: z
      .boolean()
      .optional()
      .describe(
        'Shell integration, which tracks each command without changing your files or settings. Default: ' +
          'TENACITTY_SHELL_INTEGRATION.',
      ),
    name: terminalName
      .optional()
      .describe(
        'A name, valid wherever an id is and unique among running terminals. Lower-case letters, digits, `.`, `_`, ' +
          '`-`; neither all digits nor four or more hex digits and dashes.',
      ),
    labels: labels.optional(),
    timeLimitMs: timeLimitMs.optional(),
    endsWithCommand: z
      .boolean()
      .optional()
      .describe(
        'true: the terminal ends, with all its processes, when its first command has ended. It stays readable. ' +
          'Default: false.',
      ),
    sessionTimeoutMs: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Ends a shell that has been idle at an empty prompt, without subscribers, for this many milliseconds; 0: ' +
          'never. Default: TENACITTY_SESSION_TIMEOUT.',
      ),
    connection: clientConnection.optional(),
  })
  .refine((value) => !(value.shell !== undefined && value.command !== undefined), {
    path: ['command'],
    error: 'give either `shell` or `command`, not both',
  });
export type CreateTerminal = z.input<typeof createTerminal>;

export const terminalStatus = z
  .enum(['active', 'exited', 'lost'])
  .describe(
    '`active`: the program is running. `exited`: it has ended. `lost`: its host process was killed or the machine ' +
      'restarted, and how the program ended is unknown.',
  );
export type TerminalStatus = z.infer<typeof terminalStatus>;

const isoTime = z.iso.datetime().describe('A time in UTC, ISO 8601.');

/** A terminal as lists show it: the seven fields of the original API, how the terminal ended, and its last command. */
export const terminalSummary = z.strictObject({
  id: terminalId,
  pid: z.int().describe('Process id of the program.'),
  shell: z.string().describe('Path of the shell or program that the terminal was started with.'),
  cwd: z.string().nullable().describe('Current or last directory of the program. Null if unknown.'),
  created: isoTime,
  lastActivity: isoTime.describe('Time of the last input, output, read or resize (UTC).'),
  status: terminalStatus,
  startCwd: z.string().describe('Directory that the program was started in.'),
  exitCode: z.int().nullable().describe('Exit code; null while the program is running, or if a signal ended it.'),
  signal: z.string().nullable().describe('The signal that ended the program (such as SIGKILL), or null.'),
  endedBy,
  name: terminalName.nullable().describe('Name of the terminal, or null.'),
  labels: labels.describe('Labels of the terminal.'),
  lastCommand: lastCommand
    .nullable()
    .describe('The last command, whether a caller ran it or a person typed it. Null if none is known.'),
  createdBy: caller.nullable().describe('The caller that created the terminal. Null if unknown.'),
});
export type TerminalSummary = z.infer<typeof terminalSummary>;

/** Present if a time limit ended the command. */
export const reachedTimeLimit = z.int().describe('The time limit in milliseconds, if it ended the command.');

const recordedInput = z.strictObject({
  time: isoTime,
  bytes: z.int().describe('Number of bytes. The text itself is not kept.'),
});

/** Everything known about one terminal. */
export const terminalDetail = terminalSummary.extend({
  args: z.array(z.string()),
  cols,
  rows,
  title: z.string().describe('The window title that the program has set, or empty.'),
  ended: isoTime
    .nullable()
    .describe('When the program ended; for a lost terminal, the time of its last sign of life; otherwise null.'),
  history: historyPlace.describe('Whether the history is also on disk or only in memory.'),
  integrated: z.boolean().describe('Whether shell integration is active, so that commands can be run.'),
  viewers: z.int().describe('Number of current subscribers (attached people, streams).'),
  holder,
  foreground: z
    .strictObject({ pid: z.int(), name: z.string() })
    .nullable()
    .describe('The foreground process, or null if unknown.'),
  totalLines: z.int().describe('Lines of output so far, including dropped ones.'),
  totalBytes: z.int().describe('Bytes of output so far.'),
  inputCount: z.int().describe('Number of inputs sent.'),
  timeLimitMs: timeLimitMs.nullable().describe('Time limit in milliseconds; null: none.'),
  recentInputs: z.array(recordedInput).describe('The latest inputs, oldest first.'),
  lastTypedBy: caller
    .nullable()
    .describe("The caller that typed last. Null if no caller has typed, or if the terminal's host process has ended."),
});
export type TerminalDetail = z.infer<typeof terminalDetail>;

/** Which terminals to list. */
export const listTerminals = z.strictObject({
  labels: terminalLabels.optional().describe('Only terminals that have all of these, with these values.'),
  name: terminalName.optional().describe('Only terminals with this name; at most one of them is running.'),
});
export type ListTerminals = z.input<typeof listTerminals>;

/** What to change about a terminal. */
export const updateTerminal = z.strictObject({
  name: terminalName.nullable().optional().describe('The new name; null removes it.'),
  labels: changedLabels.optional().describe('Labels to set; null removes a label. Other labels stay.'),
});
export type UpdateTerminal = z.input<typeof updateTerminal>;

/** What to type: text, named keys, or text followed by keys. */
export const terminalInput = z
  .strictObject({
    input: z
      .string()
      .optional()
      .describe(
        'Text to type. Enter is added unless the text ends in a control character or key sequence (`"\\u0003"` is ' +
          'Ctrl-C). Line endings in the text are typed as Enter.',
      ),
    keys: z
      .array(z.string().min(1).max(32))
      .max(1024)
      .optional()
      .describe('Named keys, typed after `input`: enter, tab, escape, up, f5, ctrl-c, alt-x, shift-tab …'),
    enter: z.boolean().optional().describe('false: add no Enter. Default: true, unless `keys` are given.'),
    raw: z
      .boolean()
      .optional()
      .describe('true: send `input` byte for byte, with no Enter added and no line ending changed. Default: false.'),
    data: z.base64().optional().describe('Bytes to send, in base64, instead of all other fields.'),
  })
  .refine(({ input, keys, data }) => input !== undefined || keys !== undefined || data !== undefined, {
    path: ['input'],
    error: 'give `input`, `keys` or both',
  })
  .refine(({ data, ...others }) => data === undefined || Object.keys(others).length === 0, {
    path: ['data'],
    error: 'is given alone, without `input`, `keys`, `enter` and `raw`',
  });
export type TerminalInput = z.input<typeof terminalInput>;

export const terminalSize = z.strictObject({ cols, rows });
export type TerminalSize = z.infer<typeof terminalSize>;

export const SIGNALS = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGKILL',
  'SIGUSR1',
  'SIGUSR2',
  'SIGTERM',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGWINCH',
] as const;
export const signalName = z.enum(SIGNALS);
export type SignalName = z.infer<typeof signalName>;

/** A signal to send without ending the terminal. */
export const sendSignal = z.strictObject({
  signal: signalName,
  target: z
    .enum(['foreground', 'all'])
    .default('foreground')
    .describe('`foreground`: the foreground process group. `all`: every process of the terminal.'),
});
export type SendSignal = z.input<typeof sendSignal>;

/** How to end a terminal. */
export const killTerminal = z.strictObject({
  signal: signalName
    .extract(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGKILL', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'])
    .default('SIGTERM')
    .describe('The first signal, sent to every process of the terminal.'),
  graceMs: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .describe('Milliseconds before SIGKILL. Default: TENACITTY_KILL_GRACE_MS.'),
});
/** For callers of the engine, which can also give a reason. */
export const endTerminal = killTerminal.extend({ reason: callersReason });
export type KillTerminal = z.input<typeof endTerminal>;
export type EndRequest = z.output<typeof endTerminal>;

/** The response to creating a terminal: the six fields of the original API. */
export const createdTerminal = z.strictObject({
  terminalId,
  pid: z.int(),
  shell: z.string(),
  cwd: z.string().describe('Directory that the program was started in.'),
  created: isoTime,
  status: terminalStatus,
});
export type CreatedTerminal = z.infer<typeof createdTerminal>;
