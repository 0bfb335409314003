/** The message about a command that was lost with its host process. */
import { shortId } from './terminal-id.js';

export function lostInWords(id: string, commandId: number): string {
  return `command ${commandId} of terminal ${shortId(id)} is lost: what held it is gone, and how it ended is not known`;
}
