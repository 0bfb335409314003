/**
 * The vocabulary of a terminal on the wire: how one is asked for, described, typed into, resized,
 * signalled and ended. Schemas only: no logic, and nothing here knows a door or the engine.
 */
import { z } from 'zod';
import { lastCommand } from './command-state.js';
import { callersReason, clientConnection, endedBy } from './ending.js';
import { changedLabels, terminalLabels } from './labels.js';
import { terminalName } from './name.js';
import { textsByName } from './texts-by-name.js';

/** Widest and tallest screen a caller may ask for; beyond it programs misbehave and memory is wasted. */
export const MAX_COLS = 1000;
export const MAX_ROWS = 1000;
export const DEFAULT_COLS = 80;
export const DEFAULT_ROWS = 24;

const NO_NUL = /^[^\0]*$/;
const text = (what: string, max: number) =>
  z.string().max(max).regex(NO_NUL, { error: 'text without a NUL character' }).describe(what);

const PATH_MAX = 4096;
/** Linux takes no single argument or variable of so many bytes (MAX_ARG_STRLEN, which counts the closing NUL), or more. */
export const MAX_ARGUMENT_BYTES = 128 * 1024;
const MAX_ARGS = 4096;

export const terminalId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: '1 to 64 letters, digits, - or _' })
  .describe('The id of a terminal, as given when it was created.');

/** Where a terminal is asked for. */
export const terminalIdOrName = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/, {
    error: 'the id or the name of a terminal: 1 to 64 letters, digits, ., _ or -',
  })
  .describe('The id of a terminal, or its name. Of several with that name: the one that runs, else the newest.');

const cols = z.int().min(2).max(MAX_COLS).describe('Columns of the screen.');
const rows = z.int().min(1).max(MAX_ROWS).describe('Rows of the screen.');

export const envName = z
  .string()
  .max(1024)
  .regex(/^[^=\0]+$/, { error: 'a name that is not empty and has neither = nor NUL' });

const timeLimitMs = z
  .int()
  .min(1)
  .describe('The terminal is ended when it has run for so long, in milliseconds. Default: never.');

const historyPlace = z.enum(['disk', 'memory']);

const labels = terminalLabels.describe(
  'What to find it by: up to 16 names (letters, digits, `.`, `_`, `-`) with a text each, of up to 256 characters.',
);

/** What a caller may say when creating a terminal. Everything is optional. */
export const createTerminal = z
  .strictObject({
    shell: text(
      'Shell to start, a path or a name found on PATH. Default: the TENACITTY_SHELL_PATH setting, else the login shell, else /bin/sh.',
      PATH_MAX,
    )
      .min(1)
      .optional(),
    command: text(
      'Program to run instead of a shell, a path or a name found on PATH. Not together with `shell`.',
      PATH_MAX,
    )
      .min(1)
      .optional(),
    args: z
      .array(text('One argument.', MAX_ARGUMENT_BYTES))
      .max(MAX_ARGS)
      .optional()
      .describe('Arguments for the program or the shell.'),
    cwd: text('Directory to start in. Default: the directory the server was started in.', PATH_MAX).min(1).optional(),
    env: textsByName(envName, text('A value.', MAX_ARGUMENT_BYTES))
      .optional()
      .describe('Environment variables, added to those of the server (less its own settings).'),
    cols: cols.optional().describe(`Columns of the screen. Default: those of \`like\`, else ${DEFAULT_COLS}.`),
    rows: rows.optional().describe(`Rows of the screen. Default: those of \`like\`, else ${DEFAULT_ROWS}.`),
    like: terminalIdOrName
      .optional()
      .describe(
        'Id or name of a terminal, running, ended or lost: its program, arguments, last directory and size are taken where ' +
          'this request gives none. Its environment is not kept, so not taken; nor are its name and labels.',
      ),
    history: historyPlace
      .optional()
      .describe(
        '`disk`: history also on disk, to outlive the process that holds it. Default: the TENACITTY_HISTORY setting.',
      ),
    integration: z
      .boolean()
      .optional()
      .describe(
        'Whether a shell is followed, so that its commands are known one by one. Your own settings and files stay as ' +
          'they are. Default: the TENACITTY_SHELL_INTEGRATION setting.',
      ),
    name: terminalName
      .optional()
      .describe(
        'What it is called: it can be asked for by this instead of its id. Of those that run only one has it. Lower-case ' +
          'letters, digits, `.`, `_`, `-`; not digits alone, and not four or more hex digits and dashes alone.',
      ),
    labels: labels.optional(),
    timeLimitMs: timeLimitMs.optional(),
    endsWithCommand: z
      .boolean()
      .optional()
      .describe(
        'true: the terminal is there for one command. It ends, with all its processes, when the first command that is ' +
          'run in it has ended, and stays readable. Default: false.',
      ),
    sessionTimeoutMs: z
      .int()
      .min(0)
      .optional()
      .describe(
        'How long its shell may sit at an empty prompt, unwatched and with nothing running, before it is ended, in ' +
          'milliseconds; 0: for ever. Default: the TENACITTY_SESSION_TIMEOUT setting.',
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
    '`active` while the program runs, `exited` once it has ended, `lost` when what held the terminal was killed ' +
      'or the machine restarted: how its program ended is not known.',
  );
export type TerminalStatus = z.infer<typeof terminalStatus>;

const isoTime = z.iso.datetime().describe('A time in UTC, ISO 8601.');

/** A terminal as lists show it: the seed's seven fields, how it ended, and what was run in it last. */
export const terminalSummary = z.strictObject({
  id: terminalId,
  pid: z.int().describe('Process id of the program.'),
  shell: z.string().describe('Path of the shell or program that runs.'),
  cwd: z
    .string()
    .nullable()
    .describe(
      'Directory the program is in now; of one that has ended or is lost, where it was last seen. Null where the system does not tell.',
    ),
  created: isoTime,
  lastActivity: isoTime.describe('When it last took input, gave output, was read or resized (UTC).'),
  status: terminalStatus,
  startCwd: z.string().describe('Directory the program was started in.'),
  exitCode: z.int().nullable().describe('Exit code; null while running or when ended by a signal.'),
  signal: z.string().nullable().describe('The signal that ended the program, as SIGKILL, or null.'),
  endedBy,
  name: terminalName.nullable().describe('What it is called, or null.'),
  labels: labels.describe('What was written on it, when it was created or later.'),
  lastCommand: lastCommand
    .nullable()
    .describe('The command that was begun last, by a caller or by a person at the prompt. Null where none is known.'),
});
export type TerminalSummary = z.infer<typeof terminalSummary>;

/** Of what a time limit has ended. */
export const reachedTimeLimit = z.int().describe('Only where a time limit has ended it: that limit, in milliseconds.');

const recordedInput = z.strictObject({
  time: isoTime,
  bytes: z.int().describe('How many bytes were sent. What they said is not kept.'),
});

/** Everything known about one terminal. */
export const terminalDetail = terminalSummary.extend({
  args: z.array(z.string()),
  cols,
  rows,
  title: z.string().describe('The title the program set, or empty.'),
  ended: isoTime.nullable().describe('When the program ended, or, of a lost terminal, was last heard of; else null.'),
  history: historyPlace.describe('Whether the history is also on disk.'),
  integrated: z.boolean().describe('Whether a shell is followed there: its commands are known, and can be run.'),
  viewers: z.int().describe('How many follow the output now (attached people, streams).'),
  foreground: z
    .strictObject({ pid: z.int(), name: z.string() })
    .nullable()
    .describe('What runs in the foreground now, or null where that is not known.'),
  totalLines: z.int().describe('Lines of output so far, those no longer held included.'),
  totalBytes: z.int().describe('Bytes of output so far.'),
  inputCount: z.int().describe('How many inputs were sent.'),
  timeLimitMs: timeLimitMs
    .nullable()
    .describe('It is ended when it has run for so long, in milliseconds; null: never.'),
  recentInputs: z.array(recordedInput).describe('Times and sizes of the latest inputs, oldest first.'),
});
export type TerminalDetail = z.infer<typeof terminalDetail>;

/** Which terminals to list. */
export const listTerminals = z.strictObject({
  labels: terminalLabels.optional().describe('Only terminals that have all of these, with these values.'),
  name: terminalName.optional().describe('Only terminals with this name: one that runs at most, and ended ones.'),
});
export type ListTerminals = z.input<typeof listTerminals>;

/** What is to be changed about a terminal. */
export const updateTerminal = z.strictObject({
  name: terminalName
    .nullable()
    .optional()
    .describe('What it is called from now on; null: nothing. Default: as before.'),
  labels: changedLabels
    .optional()
    .describe('Labels to write on it, each a text; null takes one away. All others stay as they are.'),
});
export type UpdateTerminal = z.input<typeof updateTerminal>;

/** What to type: text, named keys, or text and then keys. */
export const terminalInput = z
  .strictObject({
    input: z
      .string()
      .optional()
      .describe(
        'Text to type. An Enter is added when it ends in text; input that ends in a control character ' +
          'or key sequence (as "\\u0003") is sent as it is. Line ends inside are typed as Enter.',
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
      .describe('true: send `input` byte for byte, no Enter added, no line end changed. Default: false.'),
  })
  .refine((value) => value.input !== undefined || value.keys !== undefined, {
    path: ['input'],
    error: 'give `input`, `keys` or both',
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
    .describe('`foreground`: the process group that has the terminal now. `all`: every process of the terminal.'),
});
export type SendSignal = z.input<typeof sendSignal>;

/** How to end a terminal. */
export const killTerminal = z.strictObject({
  signal: signalName
    .extract(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGKILL', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'])
    .default('SIGTERM')
    .describe('First signal for every process of the terminal.'),
  graceMs: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .describe('How long they may take to end before SIGKILL. Default: the TENACITTY_KILL_GRACE_MS setting.'),
});
/** For callers of the engine, who may also say why. */
export const endTerminal = killTerminal.extend({ reason: callersReason });
export type KillTerminal = z.input<typeof endTerminal>;
export type EndRequest = z.output<typeof endTerminal>;

/** What creating a terminal answers: the seed's six fields. */
export const createdTerminal = z.strictObject({
  terminalId,
  pid: z.int(),
  shell: z.string(),
  cwd: z.string().describe('Directory it is in.'),
  created: isoTime,
  status: terminalStatus,
});
