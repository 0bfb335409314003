/**
 * Tracks type-ahead: input typed before the shell's prompt, while a command is running and no program is reading. Finds
 * where that command's output ends if the echo of the type-ahead is excluded. If echo is off, there is none.
 */
import { readModes } from '../processes/input-kind.js';
import type { TerminalModes } from '../processes/input-kind.js';
import { TypeAheadEcho } from './type-ahead-echo.js';
import type { ShellContext } from './shell-context.js';

export class TypeAheadTracker {
  readonly #context: Pick<ShellContext, 'terminal' | 'probe'>;
  #echo = new TypeAheadEcho();
  /** The pending query of the terminal's modes; one reply serves everything typed in the meantime. */
  #pendingModes: Promise<TerminalModes | null> | null = null;

  constructor(context: Pick<ShellContext, 'terminal' | 'probe'>) {
    this.#context = context;
  }

  /** Call when the user has typed while a command is running. */
  typed(bytes: Uint8Array): void {
    const { isKnown, waiting, tty } = this.#context.probe();
    if (!isKnown || waiting !== null) return this.#echo.clear();
    this.#echo.add(bytes, this.#context.terminal.outputEnd());
    if (tty !== null) void this.#forgetUnechoed(this.#echo, tty);
  }

  /**
   * Call when the terminal has replied to a program. A program that reads replies turns echo off, so no echo is found.
   */
  replied(bytes: Uint8Array): void {
    this.#echo.add(bytes, this.#context.terminal.outputEnd());
  }

  async #forgetUnechoed(ahead: TypeAheadEcho, tty: string): Promise<void> {
    this.#pendingModes ??= readModes(tty).finally(() => (this.#pendingModes = null));
    const modes = await this.#pendingModes;
    if (modes?.isEchoing === false) ahead.clear();
  }

  /** Call when the command has ended. Returns where its output, which ends at `end`, ends if the echo is excluded. */
  endWithout(end: number): number {
    const ahead = this.#echo;
    this.#echo = new TypeAheadEcho();
    return ahead.endWithout(end, (from) => this.#context.terminal.outputFrom(from));
  }
}
