/**
 * What a session tells those who keep a shell, and wants of them: types alone.
 */

/** How a command ended. */
export interface CommandEnd {
  /** Null where it is not known. */
  readonly exitCode: number | null;
  /** Of the shell; null where it did not say. */
  readonly directory: string | null;
  readonly via: 'marker' | 'prompt' | 'exit' | 'kernel';
  /** Whether its line has come to its end, though only the prompt says so. */
  readonly isNoted?: true;
}

/** Why a command was not run. */
export type Refusal = 'busy' | 'lost' | 'over' | 'moved';

/** What the session wants done, at once and in this order. */
export interface SessionEffects {
  /** Whether the shell stands where it has to for what is wanted. */
  readonly isInPlace: boolean;
  /** Type the line that runs a command, and show nothing until `release`. */
  send(command: number): void;
  /** Whether the shell answers the key that puts by what was typed. */
  readonly hasParkKey: boolean;
  /** Type the next line of a command's text: the shell takes it so, and asks for it. */
  give(command: number): void;
  /** Type the key that puts by what was typed, or throws it away; the one that brings it back. */
  park(isLitter: boolean): void;
  unpark(): void;
  /** Type what was kept back while `takesTyping` did not hold. */
  typeKept(): void;
  /** Type the line that loads the integration, and show nothing until `release`. */
  heal(): void;
  /** Show things again. `echo`: what was held back was only the echo of our line. */
  release(heldBack: 'echo' | 'output'): void;
  /** A command that was sent has begun: its output follows. */
  began(command: number): void;
  /** A person's command has begun. */
  typedBegan(): void;
  /** What a person began is no command yet: more lines are wanted. */
  withdrawn(): void;
  /** The running command has ended. */
  ended(end: CommandEnd): void;
  /** A command that was asked for will not be run. */
  refused(command: number, why: Refusal): void;
}
