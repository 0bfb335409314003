/**
 * The commands that were run in one terminal: begun, ended, found again by their numbers, and the oldest forgotten when
 * there are too many. It knows neither shells nor files.
 */
import { z } from 'zod';
import { MAX_COMMAND_TEXT_CHARS } from '../contract/command.js';
import type { CommandRecord, CommandState, ListCommands } from '../contract/command.js';

/** What is kept of a command. Times are milliseconds since the epoch, offsets those of the terminal's output. */
export const keptCommand = z.object({
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
  /** By what its caller would know it again, if the answer was lost. */
  key: z.string().optional(),
  /** Where in the output stands what was printed since the command before, prompts left out. */
  between: z.array(z.tuple([z.int(), z.int()])),
  /** The command in whose inner shell it was run. */
  within: z.int().nullable(),
  /** The size of the screen from which offset on: when it began, and as it was changed. */
  sizes: z.array(z.object({ offset: z.int(), cols: z.int(), rows: z.int() })),
});
export type KeptCommand = z.infer<typeof keptCommand>;

export type CommandStart = Pick<
  KeptCommand,
  'commandId' | 'text' | 'origin' | 'started' | 'startCwd' | 'fromOffset' | 'fromLine' | 'between' | 'key' | 'within'
>;
export type CommandFinish = Pick<KeptCommand, 'exitCode' | 'signal' | 'via' | 'cwd' | 'toLine'> & {
  readonly ended: number;
  readonly toOffset: number;
};

/** Most commands kept for one terminal; the oldest are forgotten first. */
export const MAX_KEPT_COMMANDS = 1000;
/** Sizes kept of one command; those between its first and its newest are forgotten first. */
export const MAX_KEPT_SIZES = 100;

export class CommandLog {
  readonly #commands = new Map<number, KeptCommand>();
  readonly #onChange: (command: KeptCommand) => void;
  #next = 1;
  #size: { readonly cols: number; readonly rows: number } | null = null;

  /**
   * @param commands - What another log kept, oldest first.
   * @param onChange - Called with each command that has begun or ended.
   */
  constructor(commands: readonly KeptCommand[] = [], onChange: (command: KeptCommand) => void = () => {}) {
    for (const command of commands) this.#keep(command);
    this.#onChange = onChange;
  }

  /** Oldest first. */
  get all(): readonly KeptCommand[] {
    return [...this.#commands.values()];
  }

  /** The one that was begun last. */
  get newest(): KeptCommand | undefined {
    return this.#commands.get(this.#next - 1) ?? this.all.at(-1);
  }

  /** A number that was never given before. */
  nextId(): number {
    return this.#next++;
  }

  /** The number of the command that was asked for with this key. */
  numberOf(key: string): number | undefined {
    return this.all.findLast((command) => command.key === key)?.commandId;
  }

  find(commandId: number): KeptCommand | undefined {
    return this.#commands.get(commandId);
  }

  /** The first of those after `after`, or without it the newest; oldest first. */
  list({ after, limit = 100 }: ListCommands): KeptCommand[] {
    if (after === undefined) return this.all.slice(-limit);
    return this.all.filter(({ commandId }) => commandId > after).slice(0, limit);
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

  /** The screen has this size from now on, where the output ends at `offset`. Kept with what runs, and with its end. */
  resized(offset: number, cols: number, rows: number): void {
    this.#size = { cols, rows };
    for (const command of this.#commands.values()) {
      if (command.ended === null) this.#keep({ ...command, sizes: withSize(command.sizes, { offset, cols, rows }) });
    }
  }

  /** Forgets a command that was none; its number is not given again. */
  withdraw(commandId: number): void {
    this.#commands.delete(commandId);
  }

  end(commandId: number, finish: CommandFinish): void {
    const command = this.#commands.get(commandId);
    if (command !== undefined) this.#change({ ...command, ...finish });
  }

  #change(command: KeptCommand): void {
    this.#keep(command);
    this.#onChange(command);
  }

  #keep(command: KeptCommand): void {
    this.#commands.set(command.commandId, command);
    this.#next = Math.max(this.#next, command.commandId + 1);
    if (this.#commands.size <= MAX_KEPT_COMMANDS) return;
    const oldest = this.#commands.keys().next().value!;
    this.#commands.delete(oldest);
  }
}

/** Of several sizes between which nothing was printed only the last one counts. */
function withSize(sizes: KeptCommand['sizes'], size: KeptCommand['sizes'][number]): KeptCommand['sizes'] {
  const last = sizes.at(-1);
  if (last?.cols === size.cols && last.rows === size.rows) return sizes;
  const before = last?.offset === size.offset ? sizes.slice(0, -1) : sizes;
  const isFull = before.length >= MAX_KEPT_SIZES;
  return [...(isFull ? [before[0]!, ...before.slice(2)] : before), size];
}

/** A command as callers are told of it. */
export function recordOf(command: KeptCommand, terminalId: string, state: CommandState): CommandRecord {
  const { between: _between, key: _key, sizes: _sizes, started, ended, ...rest } = command;
  return {
    terminalId,
    ...rest,
    state,
    started: new Date(started).toISOString(),
    ended: ended === null ? null : new Date(ended).toISOString(),
    durationMs: ended === null ? null : ended - started,
  };
}
