/** Converts changes of terminals to events. Pure. */
import type { TerminalChange } from '../shown-terminals.js';
import type { RunEvent } from './events.js';

/** Returns the event for a change, or null if the change is not reported. */
export function terminalEvent(change: TerminalChange): RunEvent | null {
  const { sessionId, terminalId, owner, command, cwd, exit } = change.terminal;
  const id = { sessionId, terminalId };
  if (change.type === 'started') return { type: 'terminal_started', ...id, owner, command, cwd };
  if (change.type === 'output') return { type: 'terminal_output', ...id, data: change.data, isAnew: false };
  if (change.type === 'replaced') {
    return { type: 'terminal_output', ...id, data: Buffer.from(change.terminal.output), isAnew: true };
  }
  return change.type === 'ended' && exit !== null ? { type: 'terminal_ended', ...id, ...exit } : null;
}
