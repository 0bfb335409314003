/**
 * What is typed ahead of a shell's prompt, while a command runs and nobody reads it: finds where the output of that
 * command ends without its echo. A terminal whose echo is off has none. It knows no shell and no log.
 */
import { readModes } from '../processes/input-kind.js';
import type { TerminalModes } from '../processes/input-kind.js';
import { TypedAhead } from './typed-ahead.js';
import type { Surroundings } from './surroundings.js';

export class EchoAhead {
  readonly #around: Pick<Surroundings, 'terminal' | 'probe'>;
  #ahead = new TypedAhead();
  /** How the terminal treats keys, being asked: one answer is for all that is typed meanwhile. */
  #asking: Promise<TerminalModes | null> | null = null;

  constructor(around: Pick<Surroundings, 'terminal' | 'probe'>) {
    this.#around = around;
  }

  /** Somebody has typed while a command runs. */
  typed(bytes: Uint8Array): void {
    const { isKnown, waiting, tty } = this.#around.probe();
    if (!isKnown || waiting !== null) return this.#ahead.clear();
    this.#ahead.add(bytes, this.#around.terminal.outputEnd());
    if (tty !== null) void this.#forgetUnechoed(this.#ahead, tty);
  }

  /** The terminal has answered a program. One that reads that has echo off, so that none is found. */
  replied(bytes: Uint8Array): void {
    this.#ahead.add(bytes, this.#around.terminal.outputEnd());
  }

  async #forgetUnechoed(ahead: TypedAhead, tty: string): Promise<void> {
    this.#asking ??= readModes(tty).finally(() => (this.#asking = null));
    const modes = await this.#asking;
    if (modes?.isEchoing === false) ahead.clear();
  }

  /** The command has ended, its output at `end`; gives where that ends without the echo behind it. */
  endWithout(end: number): number {
    const ahead = this.#ahead;
    this.#ahead = new TypedAhead();
    return ahead.endWithout(end, (from) => this.#around.terminal.outputFrom(from));
  }
}
