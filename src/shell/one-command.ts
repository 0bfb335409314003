/** Decides when a terminal that was created for a single command is no longer needed. */
import { monotonicMs } from '../clock.js';
import type { CommandLog } from './command-log.js';
import { withTimeLimit } from '../wait/time-limit.js';

/**
 * If no command has run for this long after a terminal's creation, its caller must have gone, and the terminal is
 * ended.
 */
const UNUSED_MS = 60_000;

export interface OneCommandTerminal {
  readonly log: CommandLog;
  readonly isActive: boolean;
  /** Whether another process has taken over the terminal and does this itself. */
  readonly isHandedOff: boolean;
  readonly commands: { readonly isStarting: boolean };
  nextChange(signal?: AbortSignal): Promise<void>;
}

/** Resolves when the terminal is to be ended, with whether this process must end it. */
export async function oneCommandIsOver(terminal: OneCommandTerminal): Promise<boolean> {
  let commandId: number | undefined;
  let unusedSince = monotonicMs();
  while (terminal.isActive && !terminal.isHandedOff) {
    commandId ??= firstOf(terminal.log);
    if (commandId === undefined) {
      if (terminal.commands.isStarting) unusedSince = monotonicMs();
      const leftMs = unusedSince + UNUSED_MS - monotonicMs();
      if (leftMs <= 0) break;
      await withTimeLimit(leftMs, undefined, (end) => terminal.nextChange(end));
    } else {
      const ended = terminal.log.find(commandId)?.ended ?? null;
      if (ended !== null) break;
      await terminal.nextChange();
    }
  }
  return !terminal.isHandedOff;
}

/** Returns the first command that a caller ran, outside any nested shell. */
function firstOf(log: CommandLog): number | undefined {
  return log.all.find(({ origin, within }) => origin === 'exec' && within === null)?.commandId;
}
