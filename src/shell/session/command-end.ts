/** How a command ended, by what a mark says. Pure. */
import type { Mark } from '../marker.js';
import type { CommandEnd } from './effects.js';

/** Its line says so; one without a status was not seen to be evaluated. */
export function endOfLine({ status, directory }: Mark & { verb: 'ended' }): CommandEnd {
  return { exitCode: status, directory, via: status === null ? 'kernel' : 'marker' };
}

/**
 * The prompt says so. Where the line came to its end all the same, what should have told is gone from the shell, and the
 * status at the prompt is that of its absence; the one that the line has noted counts.
 */
export function endAtPrompt(mark: Mark & { verb: 'returned' }, command: number | 'typed' | null): CommandEnd {
  const { status, directory, notedCommand, notedStatus = null } = mark;
  if (notedCommand === undefined || notedCommand !== command) return { exitCode: status, directory, via: 'prompt' };
  return { exitCode: notedStatus, directory, via: notedStatus === null ? 'kernel' : 'prompt', isNoted: true };
}
