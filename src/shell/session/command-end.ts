/** Derives how a command ended from a mark. Pure. */
import type { Mark } from '../marker.js';
import type { CommandEnd } from './effects.js';

/** Returns the end as reported by the command's line; without a status, the line was not seen to be evaluated. */
export function endOfLine({ status, directory }: Mark & { verb: 'ended' }): CommandEnd {
  return { exitCode: status, directory, via: status === null ? 'kernel' : 'marker' };
}

/**
 * Returns the end that counts if the prompt reports another one. Without an Enter in between, the shell has taken no
 * other line, so that the earlier report was not its prompt's. After an Enter, the later one may be that of the typed
 * line.
 */
export function laterEnd(earlier: CommandEnd | null, later: CommandEnd, hasEntered: boolean): CommandEnd {
  const isSame = earlier === null || earlier.exitCode === later.exitCode;
  return isSame || !hasEntered ? later : { ...later, exitCode: null, via: 'kernel' };
}

/**
 * Returns the end as reported by the prompt. If the line nevertheless reached its end, the function that should have
 * reported it is gone from the shell. The status at the prompt then only says that the function is missing, and the
 * status that the line recorded counts.
 */
export function endAtPrompt(mark: Mark & { verb: 'returned' }, command: number | 'typed' | null): CommandEnd {
  const { status, directory, notedCommand, notedStatus = null } = mark;
  if (notedCommand === undefined || notedCommand !== command) return { exitCode: status, directory, via: 'prompt' };
  return { exitCode: notedStatus, directory, via: notedStatus === null ? 'kernel' : 'prompt', isNoted: true };
}
