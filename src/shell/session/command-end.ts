/** Derives how a command ended from a mark. Pure. */
import type { Mark } from '../marker.js';
import type { CommandEnd } from './effects.js';

/** Returns the end that the command's line reported. Without a status, nothing shows that the line was evaluated. */
export function endOfLine({ status, directory }: Mark & { verb: 'ended' }): CommandEnd {
  return { exitCode: status, directory, via: status === null ? 'kernel' : 'marker' };
}

/**
 * Returns the end that counts if the prompt reports another one. Without an Enter in between, the shell has taken no
 * other line, so the earlier report did not come from its prompt. After an Enter, the later report may belong to the
 * typed line.
 */
export function laterEnd(earlier: CommandEnd | null, later: CommandEnd, hasEntered: boolean): CommandEnd {
  const isSame = earlier === null || earlier.exitCode === later.exitCode;
  return isSame || !hasEntered ? later : { ...later, exitCode: null, via: 'kernel' };
}

/**
 * Returns the end that the prompt reported. If the line nevertheless reached its end, the shell has lost the function
 * that should have reported it. In that case, the status at the prompt only shows that the function is missing, and the
 * status that the line recorded counts.
 */
export function endAtPrompt(mark: Mark & { verb: 'returned' }, command: number | 'typed' | null): CommandEnd {
  const { status, directory, notedCommand, notedStatus = null } = mark;
  if (notedCommand === undefined || notedCommand !== command) return { exitCode: status, directory, via: 'prompt' };
  return { exitCode: notedStatus, directory, via: notedStatus === null ? 'kernel' : 'prompt', isNoted: true };
}
