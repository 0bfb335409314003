/**
 * The outputs of a terminal's commands that somebody reads. Few stay rendered; of the others it is kept what their readers
 * were shown, so that a cursor holds when they are rendered anew, in another process too.
 */
import type { KeptCommand } from './command-log.js';
import { commandOutput } from '../transcript/command-output.js';
import type { CommandOutput, OutputSource, ShownOutput } from '../transcript/command-output.js';

const MAX_RENDERED = 4;
const MAX_SHOWN = 64;

/** By the number of the command: all that is needed to go on in another process. */
export type HandedOutputs = readonly (readonly [number, ShownOutput])[];

export class CommandOutputs {
  readonly #terminal: OutputSource & { readonly id: string };
  readonly #rendered = new Map<number, CommandOutput>();
  readonly #shown = new Map<number, ShownOutput>();

  constructor(terminal: OutputSource & { readonly id: string }) {
    this.#terminal = terminal;
  }

  of(command: KeptCommand): CommandOutput {
    const { commandId } = command;
    const output = this.#rendered.get(commandId) ?? this.#render(command);
    // Those read last stay.
    this.#rendered.delete(commandId);
    this.#rendered.set(commandId, output);
    if (this.#rendered.size > MAX_RENDERED) this.#letGo(this.#rendered.keys().next().value!);
    return output;
  }

  get handed(): HandedOutputs {
    for (const [commandId, { shown }] of this.#rendered) this.#keep(commandId, shown);
    return [...this.#shown];
  }

  /** Goes on with what another process has handed over. */
  resume(handed: HandedOutputs): void {
    for (const [commandId, shown] of handed) this.#keep(commandId, shown);
  }

  #render(command: KeptCommand): CommandOutput {
    const { commandId } = command;
    const id = `${this.#terminal.id}/${commandId}`;
    return commandOutput({ id, ...command }, this.#terminal, this.#shown.get(commandId) ?? null);
  }

  #letGo(commandId: number): void {
    this.#keep(commandId, this.#rendered.get(commandId)!.shown);
    this.#rendered.delete(commandId);
  }

  #keep(commandId: number, shown: ShownOutput | null): void {
    this.#shown.delete(commandId);
    if (shown !== null) this.#shown.set(commandId, shown);
    if (this.#shown.size > MAX_SHOWN) this.#shown.delete(this.#shown.keys().next().value!);
  }
}
