/** Defines what commands need of the terminal that they run in. Types only. */
import type { TerminalError } from '../errors.js';
import type { OutputSource } from '../transcript/command-output.js';
import type { CommandLog } from './command-log.js';
import type { ShellStack } from './shell-stack.js';

export interface CommandTerminal extends OutputSource {
  readonly id: string;
  readonly isActive: boolean;
  /** Whether another process has taken over the terminal. */
  readonly isHandedOff: boolean;
  readonly log: CommandLog;
  /** Null if there is no integrated shell: the terminal runs another program, or its shell has ended. */
  readonly shell: ShellStack | null;
  readonly isFullScreen: boolean;
  /** Returns the error for a program that has ended. */
  inactive(): TerminalError;
  nextChange(signal?: AbortSignal): Promise<void>;
}
