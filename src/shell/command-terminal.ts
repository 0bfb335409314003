/** The interface of the terminal in which commands run. Types only. */
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
  /** Null without shell integration: another program, or a shell that has ended. */
  readonly shell: ShellStack | null;
  readonly isFullScreen: boolean;
  /** Returns the error that says that the program has ended. */
  inactive(): TerminalError;
  nextChange(signal?: AbortSignal): Promise<void>;
}
