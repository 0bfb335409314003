/** What subscribers of a terminal are told besides its output and its sizes. */
import type { CommandChangeEvent, ControlEvent, NoticeEvent, TitleEvent } from '../contract/event.js';
import type { KeptCommand } from '../shell/command-log.js';
import type { CommandRecord } from '../contract/command.js';

export type Notice =
  | Omit<ControlEvent, 'offset'>
  | Omit<TitleEvent, 'offset'>
  | (Pick<CommandChangeEvent, 'type' | 'phase'> & { readonly commandId: number });

/** Returns the notice of a command that has begun or ended, behind its place in the output. */
export function commandNotice({ commandId, fromOffset, toOffset }: KeptCommand): [offset: number, notice: Notice] {
  return [toOffset ?? fromOffset, { type: 'command', commandId, phase: toOffset === null ? 'began' : 'ended' }];
}

/** A terminal's commands, by number. */
interface CommandSource {
  readonly log: { find(commandId: number): KeptCommand | undefined };
  readonly commands: { record(commandId: number): CommandRecord };
}

/** Returns the event of a notice; null for a command that is no longer kept, or turned out to be none. */
export function eventOf({ log, commands }: CommandSource, notice: Notice, offset: number): NoticeEvent | null {
  if (notice.type !== 'command') return { ...notice, offset };
  const { type, phase, commandId } = notice;
  return log.find(commandId) === undefined ? null : { type, offset, phase, command: commands.record(commandId) };
}
