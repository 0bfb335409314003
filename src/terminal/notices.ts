/** Defines what subscribers of a terminal receive in addition to output and size changes. */
import type { CommandChangeEvent, ControlEvent, NoticeEvent, PresenceEvent, TitleEvent } from '../contract/event.js';
import type { Question } from '../contract/waiting.js';
import type { LoggedCommand } from '../shell/command-log.js';
import type { CommandRecord } from '../contract/command.js';

export type Notice =
  | Omit<ControlEvent, 'offset'>
  | Omit<TitleEvent, 'offset'>
  | Omit<PresenceEvent, 'offset'>
  | { readonly type: 'waiting'; readonly waiting: Question }
  /** The program is no longer waiting for the answer to the question with this id. */
  | { readonly type: 'answered'; readonly waiting: string }
  | (Pick<CommandChangeEvent, 'type' | 'phase'> & { readonly commandId: number });

/** Returns the notice of a command that has begun or ended, and its offset in the output. */
export function commandNotice({ commandId, fromOffset, toOffset }: LoggedCommand): [offset: number, notice: Notice] {
  return [toOffset ?? fromOffset, { type: 'command', commandId, phase: toOffset === null ? 'began' : 'ended' }];
}

/** Returns whether it reports part of the state that every viewer receives on connecting. */
export function isAboutState({ type }: Notice): boolean {
  return type === 'waiting' || type === 'answered' || type === 'presence';
}

/** A terminal's commands, by number. */
export interface CommandSource {
  readonly log: { find(commandId: number): LoggedCommand | undefined };
  readonly commands: { record(commandId: number): CommandRecord };
}

/** Returns the event of a notice; null for a command that is no longer kept or that turned out not to be a command. */
export function eventOf({ log, commands }: CommandSource, notice: Notice, offset: number): NoticeEvent | null {
  if (notice.type === 'answered') return { type: 'waiting', offset, waiting: null };
  if (notice.type !== 'command') return { ...notice, offset };
  const { type, phase, commandId } = notice;
  return log.find(commandId) === undefined ? null : { type, offset, phase, command: commands.record(commandId) };
}
