/**
 * Records when the commands of one terminal started and ended. Finds commands by number, and drops the oldest when
 * there are too many.
 */
import { z } from 'zod';
import { caller } from '../contract/caller.js';
import { MAX_COMMAND_TEXT_CHARS } from '../contract/command.js';
import type { CommandRecord, CommandState, ListCommands } from '../contract/command.js';

/**
 * What is stored about a command. Times are milliseconds since the epoch; offsets are offsets in the terminal's output.
 */
export const loggedCommand = z.object({
  commandId: z.int(),
  text: z.string(),
  textTruncated: z.boolean(),
  origin: z.enum(['exec', 'typed']),
  started: z.number(),
  ended: z.number().nullable(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  via: z.enum(['marker', 'prompt', 'exit', 'kernel']).nullable(),
  startCwd: z.string().nullable(),
  cwd: z.string().nullable(),
  fromOffset: z.int(),
  toOffset: z.int().nullable(),
  fromLine: z.int(),
  toLine: z.int().nullable(),
  /** Idempotency key, which identifies the request if the caller repeats it after its response was lost. */
  key: z.string().optional(),
  /** Who ran or typed it, if known. */
  by: caller.optional(),
  /** Ranges of the output printed since the previous command, without prompts. */
  between: z.array(z.tuple([z.int(), z.int()])),
  /** The command whose nested shell ran this one; null if the terminal's own shell ran it. */
  within: z.int().nullable(),
  /** Screen sizes, each with the offset where it begins to apply: the size at the start and every later change. */
  sizes: z.array(z.object({ offset: z.int(), cols: z.int(), rows: z.int() })),
});
export type LoggedCommand = z.infer<typeof loggedCommand>;

export type CommandFinish = Pick<LoggedCommand, 'exitCode' | 'signal' | 'via' | 'cwd' | 'toLine'> & {
  readonly ended: number;
  readonly toOffset: number;
};
export type CommandStart = Omit<LoggedCommand, 'textTruncated' | 'sizes' | keyof CommandFinish>;

/** Maximum number of commands kept for one terminal; the oldest are dropped first. */
export const MAX_LOGGED_COMMANDS = 1000;
/** Maximum number of sizes kept per command; those between the first and the newest are dropped first. */
export const MAX_KEPT_SIZES = 100;

export class CommandLog {
  readonly #commands = new Map<number, LoggedCommand>();
  readonly #onChange: (command: LoggedCommand) => void;
  #next = 1;
  #size: { readonly cols: number; readonly rows: number } | null = null;

  /**
   * @param commands - The commands of an earlier log, oldest first.
   * @param onChange - Called with each command when it begins or ends.
   */
  constructor(commands: readonly LoggedCommand[] = [], onChange: (command: LoggedCommand) => void = () => {}) {
    for (const command of commands) this.#keep(command);
    this.#onChange = onChange;
  }

  /** All commands, oldest first. */
  get all(): readonly LoggedCommand[] {
    return [...this.#commands.values()];
  }

  /** The most recently started command. */
  get newest(): LoggedCommand | undefined {
    return this.#commands.get(this.#next - 1) ?? this.all.at(-1);
  }

  /** Returns a number that was never returned before. */
  nextId(): number {
    return this.#next++;
  }

  /** Returns the number of the command that was requested with this key. */
  numberOf(key: string): number | undefined {
    return this.all.findLast((command) => command.key === key)?.commandId;
  }

  find(commandId: number): LoggedCommand | undefined {
    return this.#commands.get(commandId);
  }

  /**
   * Returns the first commands after `after`, or the newest if `after` is absent; oldest first.
   *
   * @param from - The commands to choose from.
   */
  list({ after, limit = 100 }: Pick<ListCommands, 'after' | 'limit'>, from = this.all): readonly LoggedCommand[] {
    if (after === undefined) return from.slice(-limit);
    return from.filter(({ commandId }) => commandId > after).slice(0, limit);
  }

  begin(start: CommandStart): void {
    const text = start.text.slice(0, MAX_COMMAND_TEXT_CHARS);
    const open = {
      ended: null,
      exitCode: null,
      signal: null,
      via: null,
      cwd: null,
      toOffset: null,
      toLine: null,
    };
    const sizes = this.#size === null ? [] : [{ offset: start.fromOffset, ...this.#size }];
    this.#change({ ...start, text, textTruncated: text.length < start.text.length, ...open, sizes });
  }

  /**
   * Records that the screen has this size starting at output offset `offset`. Stored with each running command, and
   * with the end of that command.
   */
  resized(offset: number, cols: number, rows: number): void {
    this.#size = { cols, rows };
    for (const command of this.#commands.values()) {
      if (command.ended === null) this.#keep({ ...command, sizes: withSize(command.sizes, { offset, cols, rows }) });
    }
  }

  /** Removes a command that turned out not to be one; its number is not reused. */
  withdraw(commandId: number): void {
    this.#commands.delete(commandId);
  }

  end(commandId: number, finish: CommandFinish): void {
    const command = this.#commands.get(commandId);
    if (command !== undefined) this.#change({ ...command, ...finish });
  }

  #change(command: LoggedCommand): void {
    this.#keep(command);
    this.#onChange(command);
  }

  #keep(command: LoggedCommand): void {
    this.#commands.set(command.commandId, command);
    this.#next = Math.max(this.#next, command.commandId + 1);
    if (this.#commands.size <= MAX_LOGGED_COMMANDS) return;
    const oldest = this.#commands.keys().next().value!;
    this.#commands.delete(oldest);
  }
}

/** Returns the sizes with one added. If nothing was printed between several sizes, only the last one counts. */
function withSize(sizes: LoggedCommand['sizes'], size: LoggedCommand['sizes'][number]): LoggedCommand['sizes'] {
  const last = sizes.at(-1);
  if (last?.cols === size.cols && last.rows === size.rows) return sizes;
  const before = last?.offset === size.offset ? sizes.slice(0, -1) : sizes;
  const isFull = before.length >= MAX_KEPT_SIZES;
  return [...(isFull ? [before[0]!, ...before.slice(2)] : before), size];
}

/** Returns a command in the form that callers see. */
export function recordOf(command: LoggedCommand, terminalId: string, state: CommandState): CommandRecord {
  const { between: _between, key: _key, sizes: _sizes, by = null, started, ended, ...rest } = command;
  return {
    terminalId,
    ...rest,
    by,
    state,
    started: new Date(started).toISOString(),
    ended: ended === null ? null : new Date(ended).toISOString(),
    durationMs: ended === null ? null : ended - started,
  };
}
