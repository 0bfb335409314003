/** Builds the message about a command that was lost with its host process. */
import { shortId } from './terminal-id.js';

export function describeLostCommand(id: string, commandId: number): string {
  return (
    `command ${commandId} of terminal ${shortId(id)} is lost: its host process has ended, so it is not known how the ` +
    'command ended'
  );
}
