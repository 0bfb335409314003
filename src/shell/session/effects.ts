/** Defines what a session reports to its integrated shell, and what it requests from the shell. Types only. */

/** How a command ended. */
export interface CommandEnd {
  /** Null if unknown. */
  readonly exitCode: number | null;
  /** Directory of the shell; null if it did not report it. */
  readonly directory: string | null;
  readonly via: 'marker' | 'prompt' | 'exit' | 'kernel';
  /** Whether its line reached its end although only the prompt reports it. */
  readonly isNoted?: true;
  /** Whether the end became certain only after the prompt was shown. */
  readonly isAtPrompt?: true;
}

/** Why a command was not run. */
export type CommandRefusal = 'busy' | 'lost' | 'over' | 'moved';

/** Actions that the session requests; each is carried out at once and in this order. */
export interface SessionEffects {
  /** Whether the shell is where it has to be for the requested command. */
  readonly isInPlace: boolean;
  /** Type the line that runs a command, and show nothing until `release`. */
  send(command: number): void;
  /** Whether the shell replies to the key that parks typed input. */
  readonly hasParkKey: boolean;
  /**
   * Whether the kernel can show that the shell is reading at its prompt; if not, the shell's own report must suffice.
   */
  readonly canConfirmPrompt: boolean;
  /** Check whether the shell is reading at the prompt that it has reported, and if so, call `promptConfirmed`. */
  confirmPrompt(): void;
  /** Type the next line of a command's text, which the shell has requested. */
  typeNextLine(command: number): void;
  /** Type the key that parks or discards typed input; type the key that restores it. */
  park(isLitter: boolean): void;
  unpark(): void;
  /** Whether `unpark` may bring something back. */
  readonly restoresLine: boolean;
  /** Type the input that was kept while `acceptsInput` was false. */
  typeDelayed(): void;
  /** Type the line that loads the integration, and show nothing until `release`. */
  reloadIntegration(): void;
  /** Show output again. `echo`: what was withheld was only the echo of the injected line. */
  release(heldBack: 'echo' | 'output'): void;
  /** A command that was sent has begun: its output follows. */
  began(command: number): void;
  /** A command that the user typed has begun. */
  typedBegan(): void;
  /** What the user began is not a command yet: the shell is asking for more lines. */
  withdrawn(): void;
  /** The running command has ended. */
  ended(end: CommandEnd): void;
  /** A requested command will not run. */
  refused(command: number, why: CommandRefusal): void;
}
