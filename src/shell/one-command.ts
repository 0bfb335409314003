/**
 * When a terminal that is there for one command has done its work. It knows neither who has run the command nor how a
 * terminal is ended: whoever has asked may be long gone.
 */
import { monotonicMs } from '../clock.js';
import type { CommandLog } from './command-log.js';
import { withTimeLimit } from '../wait/time-limit.js';

/** In which no command is run so long after it was made: whoever meant to has gone. */
const UNUSED_MS = 60_000;

export interface OneCommandTerminal {
  readonly log: CommandLog;
  readonly isActive: boolean;
  /** Whether another process goes on with it, and sees to this. */
  readonly isElsewhere: boolean;
  readonly commands: { readonly isStarting: boolean };
  nextChange(signal?: AbortSignal): Promise<void>;
}

/** Resolves when the terminal is to be ended: to whether it is by us. */
export async function oneCommandIsOver(terminal: OneCommandTerminal): Promise<boolean> {
  let commandId: number | undefined;
  let unusedSince = monotonicMs();
  while (terminal.isActive && !terminal.isElsewhere) {
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
  return !terminal.isElsewhere;
}

/** The first that a caller has run, and not in a shell within another command. */
function firstOf(log: CommandLog): number | undefined {
  return log.all.find(({ origin, within }) => origin === 'exec' && within === null)?.commandId;
}
