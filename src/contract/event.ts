/**
 * Defines the events that a subscriber to a terminal receives, in order. They are plain data that can cross a process
 * boundary, and do not depend on the API layer or the engine.
 */
import type { CommandRecord } from './command.js';
import type { Holder } from './control.js';
import type { Presence } from './presence.js';
import type { Question } from './waiting.js';

/** Bytes that the program wrote. `offset` is the absolute offset of the first byte. */
export interface OutputEvent {
  readonly type: 'output';
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Bytes from `offset` up to `resumeAt` are no longer held. The stream continues at `resumeAt`. */
export interface GapEvent {
  readonly type: 'gap';
  readonly offset: number;
  readonly resumeAt: number;
}

/** The size of the screen changed at this offset. */
export interface ResizeEvent {
  readonly type: 'resize';
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
}

/** A command has begun or ended. After the connection to a host has been lost, an event may be delivered twice. */
export interface CommandChangeEvent {
  readonly type: 'command';
  readonly offset: number;
  readonly phase: 'began' | 'ended';
  /** The command as it is when the event is delivered. */
  readonly command: CommandRecord;
}

/** The holder of the terminal has changed, or the terminal is no longer held. */
export interface ControlEvent {
  readonly type: 'control';
  readonly offset: number;
  readonly holder: Holder;
}

/** The program has set a new title. */
export interface TitleEvent {
  readonly type: 'title';
  readonly offset: number;
  readonly title: string;
}

/** A program is waiting for input; null if no program is. Sent only to viewers, who also receive it on subscribing. */
export interface WaitingEvent {
  readonly type: 'waiting';
  readonly offset: number;
  readonly waiting: Question | null;
}

/** The current viewers of the terminal. Sent only to viewers, who also receive it on subscribing. */
export interface PresenceEvent extends Presence {
  readonly type: 'presence';
  readonly offset: number;
}

/**
 * The program has ended. Output of processes that it left behind may follow. For a lost terminal, code and signal are
 * both null.
 */
export interface ExitEvent {
  readonly type: 'exit';
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The last event: the terminal was removed, or no more output is possible. */
export interface EndEvent {
  readonly type: 'end';
  readonly offset: number;
}

/** An event of a terminal other than output and size changes. */
export type NoticeEvent = CommandChangeEvent | ControlEvent | TitleEvent | WaitingEvent | PresenceEvent;

export type TerminalEvent = OutputEvent | GapEvent | ResizeEvent | NoticeEvent | ExitEvent | EndEvent;
