/** The terminal that commands are run in, as this room sees it. Types only. */
import type { TerminalError } from '../errors.js';
import type { OutputSource } from '../transcript/command-output.js';
import type { CommandLog } from './command-log.js';
import type { IntegratedShell } from './integrated-shell.js';

export interface CommandTerminal extends OutputSource {
  readonly id: string;
  readonly isActive: boolean;
  /** Whether another process goes on with it. */
  readonly isElsewhere: boolean;
  readonly log: CommandLog;
  /** Null without shell integration: another program, or a shell that has ended. */
  readonly shell: IntegratedShell | null;
  readonly isFullScreen: boolean;
  /** That the program has ended, in words. */
  inactive(): TerminalError;
  nextChange(signal?: AbortSignal): Promise<void>;
}
