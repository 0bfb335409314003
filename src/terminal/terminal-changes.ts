/**
 * Defines the changes that a terminal reports to its manager: the events of `watch` before they get an id and a time.
 */
import type { TerminalChange as ChangeEvent } from '../contract/watch.js';
import { eventOf, type CommandSource, type Notice } from './notices.js';

type WithoutIdentity<Event> = Event extends unknown ? Omit<Event, 'id' | 'at'> : never;

/** All events except `lines`, which are created only for watchers that request them. */
export type TerminalChange = WithoutIdentity<Exclude<ChangeEvent, { type: 'lines' }>>;

/** Returns the change that a notice reports; null for a notice that is only for readers of the terminal. */
export function changeOf(terminal: CommandSource & { readonly id: string }, notice: Notice): TerminalChange | null {
  const { id: terminalId } = terminal;
  if (notice.type === 'control') return { type: 'control', terminalId, holder: notice.holder };
  if (notice.type === 'waiting' || notice.type === 'answered') return { ...notice, terminalId };
  const event = notice.type === 'command' ? eventOf(terminal, notice, 0) : null;
  if (event?.type !== 'command') return null;
  return { type: 'command', terminalId, phase: event.phase, command: event.command };
}
