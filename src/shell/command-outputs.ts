/**
 * Manages the outputs of commands that have readers. Keeps only a few of them rendered. For the others, it keeps what
 * their readers have been shown, so that cursors stay valid when an output is rendered again, even in another process.
 */
import type { LoggedCommand } from './command-log.js';
import { commandOutput } from '../transcript/command-output.js';
import type { CommandOutput, OutputSource, ShownOutput } from '../transcript/command-output.js';

const MAX_RENDERED = 4;
const MAX_SHOWN = 64;

/** Rendered outputs above this size share a limit for all terminals of a process. */
const LARGE_BYTES = 256 << 10;
const MAX_LARGE_BYTES = 64 << 20;
/** The large outputs of all terminals, the most recently read last: the size of each, and how it is dropped. */
const large = new Map<CommandOutput, { readonly bytes: number; readonly drop: () => void }>();

/** Drops the outputs that were read longest ago, never the one that was just read. */
function limitMemory(output: CommandOutput, held: { readonly bytes: number; readonly drop: () => void }): void {
  large.delete(output);
  large.set(output, held);
  let total = [...large.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [oldest, { bytes, drop: dropOldest }] of large) {
    if (total <= MAX_LARGE_BYTES || oldest === output) return;
    total -= bytes;
    dropOldest();
  }
}

/** Keyed by command number: all the state that a hand-off to another process needs. */
export type OutputsHandOff = readonly (readonly [number, ShownOutput])[];

export class CommandOutputs {
  readonly #terminal: OutputSource & { readonly id: string };
  readonly #find: (commandId: number) => LoggedCommand;
  readonly #rendered = new Map<number, CommandOutput>();
  readonly #shown = new Map<number, ShownOutput>();

  /** @param find - Returns the current record of a command; throws if it is no longer kept. */
  constructor(terminal: OutputSource & { readonly id: string }, find: (commandId: number) => LoggedCommand) {
    this.#terminal = terminal;
    this.#find = find;
  }

  /** Returns the output with everything printed so far. */
  async current(commandId: number): Promise<CommandOutput> {
    const output = this.#of(commandId);
    await output.upTo(() => this.#find(commandId));
    // It may have been dropped meanwhile.
    const bytes = output.heldBytes;
    if (bytes > LARGE_BYTES && this.#rendered.get(commandId) === output)
      limitMemory(output, { bytes, drop: () => this.#drop(commandId) });
    return output;
  }

  #of(commandId: number): CommandOutput {
    const output = this.#rendered.get(commandId) ?? this.#render(this.#find(commandId));
    // Moves the entry to the end, so that the outputs read most recently stay.
    this.#rendered.delete(commandId);
    this.#rendered.set(commandId, output);
    if (this.#rendered.size > MAX_RENDERED) this.#drop(this.#rendered.keys().next().value!);
    return output;
  }

  get handOffState(): OutputsHandOff {
    for (const [commandId, { shown }] of this.#rendered) this.#keep(commandId, shown);
    return [...this.#shown];
  }

  /** Restores the state that another process handed over. */
  resume(handed: OutputsHandOff): void {
    for (const [commandId, shown] of handed) this.#keep(commandId, shown);
  }

  #render(command: LoggedCommand): CommandOutput {
    const { commandId } = command;
    const id = `${this.#terminal.id}/${commandId}`;
    return commandOutput({ id, ...command }, this.#terminal, this.#shown.get(commandId) ?? null);
  }

  /** Releases all rendered outputs, which hold the terminal in memory. Call when the terminal is removed. */
  clear(): void {
    for (const commandId of [...this.#rendered.keys()]) this.#drop(commandId);
  }

  #drop(commandId: number): void {
    const output = this.#rendered.get(commandId)!;
    this.#keep(commandId, output.shown);
    this.#rendered.delete(commandId);
    large.delete(output);
  }

  #keep(commandId: number, shown: ShownOutput | null): void {
    this.#shown.delete(commandId);
    if (shown !== null) this.#shown.set(commandId, shown);
    if (this.#shown.size > MAX_SHOWN) this.#shown.delete(this.#shown.keys().next().value!);
  }
}
