/**
 * The vocabulary of commands: what is run in the shell of a terminal, how it went, and what one can wait for.
 * Schemas only: no logic, and nothing here knows a door, a shell or the engine.
 */
import { z } from 'zod';
import { commandId, commandState } from './command-state.js';
import { cutBy, MAX_WAIT_MS, readOutput } from './output.js';
import { refuseWithoutEffect } from './output-part.js';
import { createTerminal, reachedTimeLimit, terminalId } from './terminal.js';

export { commandId, commandState, isOver, type CommandState } from './command-state.js';

/** Longest command; it goes to the shell by a file, so that this is no matter of typing. */
export const MAX_COMMAND_CHARS = 1 << 20;
export const DEFAULT_EXEC_TIMEOUT_MS = 60_000;
export const DEFAULT_WAIT_FOR_MS = 30_000;
export const DEFAULT_INTEGRATE_TIMEOUT_MS = 10_000;
export const MAX_EXEC_TIMEOUT_MS = MAX_WAIT_MS;
/** Longest text or expression to wait for. */
export const MAX_PATTERN_CHARS = 1000;
/** Longest text of a command that lists and records give; the rest is cut, `textTruncated` says so. */
export const MAX_COMMAND_TEXT_CHARS = 4096;
/** Most records in one answer. */
export const MAX_COMMANDS_PAGE = 1000;

const isoTime = z.iso.datetime();

/** Which command of a terminal. */
export const commandNumber = z.strictObject({ commandId });

const timeoutMs = z
  .int()
  .min(0)
  .max(MAX_EXEC_TIMEOUT_MS)
  .describe('How long to wait, in milliseconds. When it is over the command goes on; ask for it again. 0: not at all.');

const untilInput = z
  .boolean()
  .describe('Whether to answer as soon as the command waits for input (a question, a password, an editor).');

const { mode, headLines, tailLines, maxLines, maxBytes, format, since, cursor } = readOutput.shape;
const shownOutput = {
  mode: mode.describe(
    'Which part of the output to show. Default: all of it, up to `maxLines`; of more the first fifth and the last four ' +
      'fifths of that, with a line between that says how many are left out. Where only `headLines` is given `head`, ' +
      'where only `tailLines` is given `tail`, where both are `head-tail`. With a stream, or from `since` or `cursor` on: `full`.',
  ),
  ...{ headLines, tailLines, maxLines, maxBytes, format },
};

/** What to run in the shell of a terminal. */
const execFields = z.strictObject({
  command: z
    .string()
    .max(MAX_COMMAND_CHARS)
    .regex(/^[^\0]*$/, { error: 'text without a NUL character' })
    .describe('Any text of the shell that runs there: several lines, heredocs, quotes, comments, `!`.'),
  timeoutMs: timeoutMs
    .default(DEFAULT_EXEC_TIMEOUT_MS)
    .describe(
      'How long to wait, in milliseconds, also for a shell that still starts: a command that has not begun by then is ' +
        'refused with `TERMINAL_BUSY`, and never runs. One that has begun goes on; ask for it again. 0: not for its end, ' +
        'and for its begin two seconds at most.',
    ),
  untilInput: untilInput.default(true),
  detach: z
    .boolean()
    .default(false)
    .describe('true: answer as soon as the command has begun; `timeoutMs` is how long that may take.'),
  ...shownOutput,
});
export const execCommand = execFields.superRefine(refuseWithoutEffect);
export type ExecCommand = z.input<typeof execCommand>;
export type ExecRequest = z.output<typeof execCommand>;

/** Where a shell stands, as those see it who judge a command for it; what was run meanwhile may have moved it. */
export const shellPlace = z.strictObject({
  cwd: z.string().nullable().describe('The directory that the program of the terminal is in.'),
  newest: z.int().nullable().describe('The command that was begun last.'),
  cwdInShell: z.string().nullable().describe('The directory at the end of that; null while it runs.'),
});
export type ShellPlace = z.infer<typeof shellPlace>;

/** How to collect a command that was left running; also one that has ended, or one that a person typed. */
export const collectCommand = z
  .strictObject({
    timeoutMs: timeoutMs.default(0),
    untilInput: untilInput.default(true),
    since,
    cursor,
    ...shownOutput,
  })
  .superRefine(refuseWithoutEffect);
export type CollectCommand = z.input<typeof collectCommand>;
export type CollectRequest = z.output<typeof collectCommand>;

/** A command in a new terminal: `exec` for those who have none yet. */
export const execInNewTerminal = z
  .strictObject({
    ...execFields.shape,
    cwd: createTerminal.shape.cwd,
    keep: z
      .boolean()
      .default(false)
      .describe('true: the terminal stays, for the next command. false: it ends when the command has ended.'),
    terminal: createTerminal
      .refine(({ command }) => command === undefined, {
        path: ['command'],
        error: 'a command is run by a shell: give `shell`, or leave it out',
      })
      .refine(({ integration }) => integration !== false, {
        path: ['integration'],
        error: 'a command is run by a shell that is followed: leave it out',
      })
      .refine(({ endsWithCommand }) => endsWithCommand === undefined, {
        path: ['endsWithCommand'],
        error: 'it does, unless `keep` beside `terminal` is true: leave it out',
      })
      .optional()
      .describe('What the new terminal is to be, as in creating one: a shell.'),
  })
  .refine(({ cwd, terminal }) => cwd === undefined || terminal?.cwd === undefined, {
    path: ['cwd'],
    error: 'is given within `terminal`, too: give it once',
  })
  .superRefine(refuseWithoutEffect);
export type ExecInNewTerminal = z.input<typeof execInNewTerminal>;

/** How to have `exec` run in a shell or REPL within a command that runs: behind `ssh`, `sudo -s`, `docker exec`. */
export const integrateShell = z.strictObject({
  timeoutMs: timeoutMs
    .default(DEFAULT_INTEGRATE_TIMEOUT_MS)
    .describe('How long to wait for something there that takes a line, and for its answer, in milliseconds.'),
  as: z
    .enum(['auto', 'sh', 'python', 'node'])
    .default('auto')
    .describe(
      'What is there: `sh` any shell of the POSIX kind (bash and zsh too), `python` or `node` a REPL of these. `auto`: ' +
        'what the system says; behind a connection, where it says nothing, a shell. A line is typed in any case: to what ' +
        'is something else it is input.',
    ),
});
export type IntegrateShell = z.input<typeof integrateShell>;
export type IntegrateRequest = z.output<typeof integrateShell>;

/** What `exec` runs its commands in from now on, until it or a command around it ends. */
export const integratedShell = z.strictObject({
  terminalId,
  within: commandId.describe('The command in which it runs.'),
  kind: z.enum(['bash', 'zsh', 'fish', 'sh', 'python', 'node']),
  version: z.string().describe('As it says itself; empty where it does not.'),
  cwd: z.string().nullable().describe('Its directory, where it is.'),
});
export type ShellWithin = z.infer<typeof integratedShell>;

/** That a program waits for somebody to type, and what it wants. */
export const inputWait = z.strictObject({
  kind: z
    .enum(['line', 'key', 'password', 'program', 'unknown'])
    .describe(
      '`line`: a line that is shown as it is typed. `key`: single keys. `password`: a line that is not shown. ' +
        '`program`: a program that is worked with (editor, pager, REPL, menu, a server with keys). ' +
        '`unknown`: the system does not tell; see `certain`.',
    ),
  by: z.string().describe('Name of the program that waits.'),
  pid: z.int().nullable(),
  certain: z
    .boolean()
    .describe('true: the kernel says that the program is blocked until something is typed. false: it also listens.'),
});
export type InputWait = z.infer<typeof inputWait>;

export const endedVia = z
  .enum(['marker', 'prompt', 'exit', 'kernel'])
  .nullable()
  .describe(
    'How the end is known. `marker`: the shell said so right behind the command. `prompt`: the shell came back to its ' +
      'prompt. `exit`: the shell itself has ended. `kernel`: the shell reads its terminal again but says nothing ' +
      '(its exit code is not known). null: it has not ended, or is lost.',
  );

/** A command that was run in a terminal, by a caller or by a person at the keyboard. */
export const commandRecord = z.strictObject({
  terminalId,
  commandId,
  text: z.string().describe('What was run.'),
  textTruncated: z.boolean(),
  origin: z.enum(['exec', 'typed']).describe('`exec`: by a caller. `typed`: by somebody at the prompt.'),
  state: commandState,
  within: commandId
    .nullable()
    .describe('The command in whose inner shell or REPL it was run; null: in the shell of the terminal itself.'),
  started: isoTime,
  ended: isoTime.nullable(),
  durationMs: z.int().nullable().describe('Null while it runs.'),
  exitCode: z.int().nullable().describe('Null while it runs and where it is not known.'),
  signal: z.string().nullable().describe('The signal that ended the shell while the command ran, or null.'),
  via: endedVia,
  startCwd: z.string().nullable().describe('Directory of the shell when the command began.'),
  cwd: z.string().nullable().describe('Directory of the shell when it had ended; null before.'),
  fromOffset: z.int().describe('Where in the output of the terminal its own begins, in bytes.'),
  toOffset: z.int().nullable().describe('Behind the last byte of it; null while it runs.'),
  fromLine: z.int().describe('Line of the history on which its output begins.'),
  toLine: z.int().nullable().describe('Line on which it ends; null while it runs.'),
});
export type CommandRecord = z.infer<typeof commandRecord>;

/** What `exec` answers: the record, and what the command has printed. */
export const commandResult = z.strictObject({
  terminalId,
  commandId,
  output: z.string().describe('What the command printed, as it would be seen on a screen of its own.'),
  exitCode: commandRecord.shape.exitCode,
  signal: commandRecord.shape.signal,
  cwd: z.string().nullable().describe('Directory of the shell now.'),
  durationMs: z.int().describe('Of the command; so far, where it has not ended.'),
  completed: z.boolean(),
  state: commandState,
  within: commandRecord.shape.within,
  waiting: inputWait.nullable().describe('What it waits for, when it waits for input.'),
  via: endedVia,
  timeLimitMs: reachedTimeLimit.optional(),
  shellExited: z.boolean().describe('Whether the shell has ended with the command: the terminal takes no more.'),
  fullScreen: z.boolean().describe('Whether a full-screen program has the screen: look at the screen, not the output.'),
  truncated: z.boolean().describe('Whether the command printed more than `output` shows.'),
  linesOmitted: z.int().describe('Lines asked for that `output` does not show.'),
  cutBy,
  totalLines: z.int().describe('Lines the command has printed.'),
  totalBytes: z.int().describe('Bytes the command has printed.'),
  nextReadFrom: z.int().describe('What to give as `since` when collecting, to read on by lines.'),
  cursor: z.string().describe('What to give as `cursor` when collecting, to get just what is new.'),
  hasMore: z.boolean().describe('Whether there is output beyond this answer already.'),
  between: z
    .string()
    .describe('What was printed between the command before and this one (background jobs), at most its last lines.'),
});
export type CommandResult = z.infer<typeof commandResult>;

/** Which commands to list. */
export const listCommands = z.strictObject({
  after: z
    .int()
    .min(0)
    .optional()
    .describe('Only commands with a number above this one, the oldest first. Without it the newest are given.'),
  limit: z.int().min(1).max(MAX_COMMANDS_PAGE).default(100).describe('Most commands in one answer.'),
});
export type ListCommands = z.input<typeof listCommands>;

/** What to wait for: the first of these that comes about ends the wait. The end of the program always does. */
export const waitFor = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(MAX_PATTERN_CHARS)
    .optional()
    .describe('Text that is to appear in new output; the echo of what is typed counts, too.'),
  regex: z
    .string()
    .min(1)
    .max(MAX_PATTERN_CHARS)
    .optional()
    .describe('Regular expression (RE2 syntax: no backreferences, no look-around) for new output.'),
  idleMs: z.int().min(1).max(MAX_EXEC_TIMEOUT_MS).optional().describe('No output for this long.'),
  input: z.boolean().default(false).describe('true: until a program waits for input.'),
  port: z
    .union([z.int().min(1).max(65_535), z.literal(true)])
    .optional()
    .describe('Until a process of this terminal listens on this TCP port; true: on any.'),
  commandId: commandId.optional().describe('Until this command has ended.'),
  fromOffset: z
    .int()
    .min(0)
    .optional()
    .describe('Where new output begins: the `offset` of an earlier answer, so that nothing is missed. Default: now.'),
  timeoutMs: timeoutMs.default(DEFAULT_WAIT_FOR_MS),
});
export type WaitFor = z.input<typeof waitFor>;
export type WaitRequest = z.output<typeof waitFor>;

export const waitResult = z.strictObject({
  reason: z
    .enum(['exit', 'text', 'regex', 'idle', 'input', 'port', 'command', 'timeout'])
    .describe('What ended the wait.'),
  offset: z
    .int()
    .describe(
      'Where the next wait goes on: behind the match; else behind all output so far, or, where text was looked for, ' +
        'where the line begins that is not yet complete.',
    ),
  match: z
    .strictObject({
      text: z.string().describe('What was found.'),
      line: z.string().describe('The line it stands in, as far as it was there.'),
      groups: z.array(z.string().nullable()).describe('Groups of the expression, in order.'),
    })
    .nullable(),
  skippedBytes: z
    .int()
    .describe(
      'Bytes of output that were gone before they could be searched for text: what they held is not known. Normally 0.',
    ),
  port: z.int().nullable().describe('The port that is listened on.'),
  waiting: inputWait.nullable(),
  isActive: z.boolean().describe('Whether the program of the terminal still runs.'),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
});
export type WaitResult = z.infer<typeof waitResult>;
