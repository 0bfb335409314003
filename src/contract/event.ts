/**
 * What a subscriber to a terminal is given, in order. Plain data, fit to cross a process boundary;
 * nothing here knows a door or the engine.
 */

/** Bytes the program wrote; `offset` is the absolute offset of the first one. */
export interface OutputEvent {
  readonly type: 'output';
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Bytes from `offset` up to `resumeAt` are no longer held; the stream goes on at `resumeAt`. */
export interface GapEvent {
  readonly type: 'gap';
  readonly offset: number;
  readonly resumeAt: number;
}

/** The screen has another size from here on. */
export interface ResizeEvent {
  readonly type: 'resize';
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
}

/**
 * The program has ended. Output of processes it left behind may still follow. Code and signal are both null
 * for a lost terminal.
 */
export interface ExitEvent {
  readonly type: 'exit';
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The terminal was removed or nothing can ever follow; always the last event. */
export interface EndEvent {
  readonly type: 'end';
  readonly offset: number;
}

export type TerminalEvent = OutputEvent | GapEvent | ResizeEvent | ExitEvent | EndEvent;
