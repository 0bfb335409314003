/**
 * Type-ahead: what is typed before the shell's prompt, while a command runs and no program reads it. Finds where the
 * output of that command ends without the echo of the type-ahead. With echo off, there is none. Does not depend on
 * shells or logs.
 */
import { readModes } from '../processes/input-kind.js';
import type { TerminalModes } from '../processes/input-kind.js';
import { TypedAhead } from './typed-ahead.js';
import type { Surroundings } from './surroundings.js';

export class EchoAhead {
  readonly #around: Pick<Surroundings, 'terminal' | 'probe'>;
  #ahead = new TypedAhead();
  /** The pending query of the terminal's modes; one answer serves everything typed meanwhile. */
  #asking: Promise<TerminalModes | null> | null = null;

  constructor(around: Pick<Surroundings, 'terminal' | 'probe'>) {
    this.#around = around;
  }

  /** The user has typed while a command runs. */
  typed(bytes: Uint8Array): void {
    const { isKnown, waiting, tty } = this.#around.probe();
    if (!isKnown || waiting !== null) return this.#ahead.clear();
    this.#ahead.add(bytes, this.#around.terminal.outputEnd());
    if (tty !== null) void this.#forgetUnechoed(this.#ahead, tty);
  }

  /** The terminal has answered a program. A program that reads such answers has echo off, so no echo is found. */
  replied(bytes: Uint8Array): void {
    this.#ahead.add(bytes, this.#around.terminal.outputEnd());
  }

  async #forgetUnechoed(ahead: TypedAhead, tty: string): Promise<void> {
    this.#asking ??= readModes(tty).finally(() => (this.#asking = null));
    const modes = await this.#asking;
    if (modes?.isEchoing === false) ahead.clear();
  }

  /** The command has ended and its output ends at `end`. Returns where the output ends without the echo after it. */
  endWithout(end: number): number {
    const ahead = this.#ahead;
    this.#ahead = new TypedAhead();
    return ahead.endWithout(end, (from) => this.#around.terminal.outputFrom(from));
  }
}
