/**
 * Defines the schemas for commands: what to run in the shell of a terminal, the result, and what callers can wait for.
 * Contains no logic and does not depend on the API layer, the shells or the engine.
 */
import { z } from 'zod';
import { caller } from './caller.js';
import { commandId, commandState } from './command-state.js';
import { cutBy, MAX_WAIT_MS, readOutput } from './output.js';
import { refuseWithoutEffect } from './output-part.js';
import { createTerminal, reachedTimeLimit, terminalId } from './terminal.js';

export { commandId, commandState, isOver, type CommandState } from './command-state.js';

/** Maximum length of a command. Commands reach the shell in a file, so the terminal's input limits do not apply. */
export const MAX_COMMAND_CHARS = 1 << 20;
export const DEFAULT_EXEC_TIMEOUT_MS = 60_000;
export const DEFAULT_WAIT_FOR_MS = 30_000;
export const DEFAULT_INTEGRATE_TIMEOUT_MS = 10_000;
export const MAX_EXEC_TIMEOUT_MS = MAX_WAIT_MS;
/** Maximum length of a string or regular expression to wait for. */
export const MAX_PATTERN_CHARS = 1000;
/** Searching takes time in proportion to the length of an expression; see `wait/pattern.ts`. */
export const MAX_REGEX_CHARS = 300;
/** Maximum length of a command's text in lists and records. Longer text is cut and `textTruncated` is true. */
export const MAX_COMMAND_TEXT_CHARS = 4096;
/** Maximum number of records in one response. */
export const MAX_COMMANDS_PAGE = 1000;

const isoTime = z.iso.datetime();

/** Identifies a command of a terminal. */
export const commandNumber = z.strictObject({ commandId });

const timeoutMs = z
  .int()
  .min(0)
  .max(MAX_EXEC_TIMEOUT_MS)
  .describe('Maximum wait in milliseconds; the command continues after it. 0: do not wait.');

const untilInput = z
  .boolean()
  .describe('Whether to respond when the command is waiting for input (a question, a password, an editor).');

const { mode, headLines, tailLines, maxLines, maxBytes, format, since, cursor } = readOutput.shape;
const shownOutput = {
  mode: mode.describe(
    'The part of the output to return. Default: all output up to `maxLines`; if there is more, its start (a fifth ' +
      'of `maxLines`) and end (four fifths), separated by a line that counts the omitted lines. `headLines` alone ' +
      'implies `head`, `tailLines` alone `tail`, both `head-tail`; a stream, `since` or `cursor` implies `full`.',
  ),
  ...{ headLines, tailLines, maxLines, maxBytes, format },
};

/** What to run in the shell of a terminal. */
const execFields = z.strictObject({
  command: z
    .string()
    .max(MAX_COMMAND_CHARS)
    .regex(/^[^\0]*$/, { error: 'text without a NUL character' })
    .describe("Any text in the shell's language, with any number of lines."),
  timeoutMs: timeoutMs
    .default(DEFAULT_EXEC_TIMEOUT_MS)
    .describe(
      'Maximum wait in milliseconds, including the start of the shell. A command that has started by then ' +
        'continues; otherwise the request fails with `TERMINAL_BUSY` and the command never runs. 0: do not wait for ' +
        'the end, and at most 2 s for the start.',
    ),
  untilInput: untilInput.default(true),
  detach: z.boolean().default(false).describe('true: respond when the command has started, within `timeoutMs`.'),
  ...shownOutput,
});
export const execCommand = execFields.superRefine(refuseWithoutEffect);
export type ExecCommand = z.input<typeof execCommand>;
export type ExecRequest = z.output<typeof execCommand>;

/**
 * The state of a shell when a policy evaluated a command for it. Commands that have run since may have changed its
 * directory.
 */
export const shellSnapshot = z.strictObject({
  cwd: z.string().nullable().describe('The current directory of the terminal’s program.'),
  newest: z.int().nullable().describe('The newest command.'),
  cwdInShell: z
    .string()
    .nullable()
    .describe('The directory at the end of the newest command; null while it is running.'),
});
export type ShellSnapshot = z.infer<typeof shellSnapshot>;

/** How to collect the result of a command that is still running, has ended, or was typed by a person. */
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

/** A command in a new terminal: `exec` for a caller that has no terminal yet. */
export const execInNewTerminal = z
  .strictObject({
    ...execFields.shape,
    cwd: createTerminal.shape.cwd,
    keep: z.boolean().default(false).describe('true: keep the shell. false: end the terminal with the command.'),
    terminal: createTerminal
      .refine(({ command }) => command === undefined, {
        path: ['command'],
        error: 'is not allowed here, because commands run in a shell: leave it out, or give `shell`',
      })
      .refine(({ integration }) => integration !== false, {
        path: ['integration'],
        error: 'cannot be false here, because commands need shell integration: leave it out',
      })
      .refine(({ endsWithCommand }) => endsWithCommand === undefined, {
        path: ['endsWithCommand'],
        error: 'is controlled by `keep`, next to `terminal`: leave it out',
      })
      .optional()
      .describe('Options of the new terminal, which runs a shell.'),
  })
  .refine(({ cwd, terminal }) => cwd === undefined || terminal?.cwd === undefined, {
    path: ['cwd'],
    error: 'is also given in `terminal`: give it only once',
  })
  .superRefine(refuseWithoutEffect);
export type ExecInNewTerminal = z.input<typeof execInNewTerminal>;

/** How to make `exec` run in a nested shell or REPL (inside `ssh`, `sudo -s`, `docker exec`). */
export const integrateShell = z.strictObject({
  timeoutMs: timeoutMs
    .default(DEFAULT_INTEGRATE_TIMEOUT_MS)
    .describe("Maximum wait in milliseconds for the shell's prompt and reply."),
  as: z
    .enum(['auto', 'sh', 'python', 'node'])
    .default('auto')
    .describe(
      '`sh`: any POSIX shell, including bash and zsh. `python`, `node`: their REPLs. `auto`: what the system ' +
        'reports, or a shell if it reports nothing (ssh). A program that is not a shell or REPL receives a typed line ' +
        'as input.',
    ),
});
export type IntegrateShell = z.input<typeof integrateShell>;
export type IntegrateRequest = z.output<typeof integrateShell>;

/** The nested shell that `exec` runs commands in until that shell, or a command around it, ends. */
export const integratedShell = z.strictObject({
  terminalId,
  within: commandId.describe('The command that the shell runs in.'),
  kind: z.enum(['bash', 'zsh', 'fish', 'sh', 'python', 'node']),
  version: z.string().describe('The version that the shell reports, or empty.'),
  cwd: z.string().nullable().describe('Directory of the shell on its machine.'),
});
export type NestedShell = z.infer<typeof integratedShell>;

/** Describes a program that is waiting for input. */
export const inputWait = z.strictObject({
  kind: z
    .enum(['line', 'key', 'password', 'program', 'unknown'])
    .describe(
      '`line`: a line that is echoed. `password`: a line that is not echoed. `key`: single keys. `program`: an ' +
        'interactive program (editor, pager, REPL, menu). `unknown`: the system does not report the kind, see ' +
        '`certain`.',
    ),
  by: z.string().describe('Name of the waiting program.'),
  pid: z.int().nullable(),
  certain: z
    .boolean()
    .describe(
      'true: the kernel reports that the program is blocked on input. false: the program may also do other work.',
    ),
});
export type InputWait = z.infer<typeof inputWait>;

export const endedVia = z
  .enum(['marker', 'prompt', 'exit', 'kernel'])
  .nullable()
  .describe(
    'How the end was detected. `marker`: the shell reported it. `prompt`: the shell showed its prompt. `exit`: the ' +
      'shell ended. `kernel`: the shell reads its terminal again, or did not report how the command ended (no exit code). null: the ' +
      'command has not ended, or is lost.',
  );

/** A command that ran in a terminal, started by a caller or typed by a person. */
export const commandRecord = z.strictObject({
  terminalId,
  commandId,
  text: z.string().describe('The command text.'),
  textTruncated: z.boolean(),
  origin: z
    .enum(['exec', 'typed'])
    .describe('`exec`: a caller ran the command. `typed`: a person typed it at the prompt.'),
  by: caller
    .nullable()
    .describe(
      'The caller that ran the command; for a typed command, the caller that typed last before it began. Null if ' +
        'unknown.',
    ),
  state: commandState,
  within: commandId
    .nullable()
    .describe("The command whose nested shell or REPL ran this command; null if the terminal's own shell ran it."),
  started: isoTime,
  ended: isoTime.nullable(),
  durationMs: z.int().nullable().describe('Null while the command is running.'),
  exitCode: z.int().nullable().describe('Null while the command is running, or if unknown.'),
  signal: z.string().nullable().describe('The signal that ended the shell during the command, or null.'),
  via: endedVia,
  startCwd: z.string().nullable().describe('Directory of the shell when the command started.'),
  cwd: z.string().nullable().describe('Directory of the shell when the command ended; null until then.'),
  fromOffset: z.int().describe("Offset in the terminal's output where the command's output starts, in bytes."),
  toOffset: z.int().nullable().describe("Offset where the command's output ends; null while the command is running."),
  fromLine: z.int().describe("First line of the command's output in the history."),
  toLine: z.int().nullable().describe("Last line of the command's output; null while the command is running."),
});
export type CommandRecord = z.infer<typeof commandRecord>;

/** The result of `exec`: the command's record and its output. */
export const commandResult = z.strictObject({
  terminalId,
  commandId,
  output: z.string().describe('What the command printed, rendered as on a separate screen.'),
  exitCode: commandRecord.shape.exitCode,
  signal: commandRecord.shape.signal,
  cwd: z.string().nullable().describe('Current directory of the shell.'),
  durationMs: z.int().describe('Duration of the command so far.'),
  completed: z.boolean(),
  state: commandState,
  within: commandRecord.shape.within,
  waiting: inputWait.nullable().describe('The input that it is waiting for, or null.'),
  via: endedVia,
  timeLimitMs: reachedTimeLimit.optional(),
  shellExited: z.boolean().describe('Whether the shell ended with the command.'),
  fullScreen: z.boolean().describe('Whether a full-screen program is active: get the screen instead of the output.'),
  truncated: z.boolean().describe('Whether the command printed more than `output` contains.'),
  linesOmitted: z.int().describe('Requested lines missing from `output`.'),
  cutBy,
  totalLines: z.int().describe('Lines printed by the command.'),
  totalBytes: z.int().describe('Bytes printed by the command.'),
  nextReadFrom: z.int().describe('The `since` to continue collecting with, by lines.'),
  cursor: z.string().describe('The `cursor` to continue collecting with.'),
  hasMore: z.boolean().describe('Whether more output is already available.'),
  between: z.string().describe('The last lines printed between the previous command and this one (background jobs).'),
});
export type CommandResult = z.infer<typeof commandResult>;

/** Which commands to list over REST. */
export const pageOfCommands = z.strictObject({
  after: z.int().min(0).optional().describe('Only commands with a number higher than this one.'),
  limit: z.int().min(1).max(MAX_COMMANDS_PAGE).default(100).describe('Maximum number of commands in the response.'),
});

/** Which commands to list. */
export const listCommands = pageOfCommands
  .extend({
    text: z.string().min(1).max(MAX_PATTERN_CHARS).optional().describe('Only commands whose text contains this text.'),
    regex: z
      .string()
      .min(1)
      .max(MAX_REGEX_CHARS)
      .optional()
      .describe('Only commands whose text matches this regular expression (RE2 syntax).'),
    ignoreCase: z.boolean().default(false).describe('true: ignore case.'),
  })
  .refine(({ text, regex }) => text === undefined || regex === undefined, {
    path: ['text'],
    error: 'give either `text` or `regex`',
  });
export type ListCommands = z.input<typeof listCommands>;
export type CommandListRequest = z.output<typeof listCommands>;

/** What to wait for. The first condition that is met ends the wait; the end of the program always does. */
export const waitFor = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(MAX_PATTERN_CHARS)
    .optional()
    .describe('Text in new output, including the echo of input.'),
  regex: z
    .string()
    .min(1)
    .max(MAX_REGEX_CHARS)
    .optional()
    .describe('Regular expression for new output (RE2 syntax: no backreferences or look-around).'),
  idleMs: z.int().min(1).max(MAX_EXEC_TIMEOUT_MS).optional().describe('No output for this many milliseconds.'),
  input: z.boolean().default(false).describe('true: a program is waiting for input.'),
  port: z
    .union([z.int().min(1).max(65_535), z.literal(true)])
    .optional()
    .describe('A process of the terminal is listening on this TCP port; true: on any port.'),
  commandId: commandId.optional().describe('This command has ended.'),
  fromOffset: z
    .int()
    .min(0)
    .optional()
    .describe('Where new output begins: the `offset` of an earlier response. Default: the end of the output.'),
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
      'Where the next wait continues: after the match, or at the end of the output (if text was searched for, at ' +
        'the start of the unfinished line).',
    ),
  match: z
    .strictObject({
      text: z.string().describe('The match.'),
      line: z.string().describe('The line with the match, as far as it was complete.'),
      groups: z.array(z.string().nullable()).describe('Capture groups, in order.'),
    })
    .nullable(),
  skippedBytes: z.int().describe('Bytes of output that were dropped before they were searched. Normally 0.'),
  port: z.int().nullable().describe('The port that a process is listening on.'),
  waiting: inputWait.nullable(),
  isActive: z.boolean().describe("Whether the terminal's program is still running."),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
});
export type WaitResult = z.infer<typeof waitResult>;
