/** Defines a session's state: plain data that can be handed over to another process unchanged. */
import type { CommandEnd } from './effects.js';
import { emptyLine, type PromptLine } from './line.js';
import type { SessionState } from './state.js';

export interface SessionData {
  /** Process id of the shell, which its marks carry. */
  readonly instance: number;
  state: SessionState;
  /** How often the shell has returned to its prompt. Marks replayed from a displayed file have no higher count. */
  turn: number;
  /** The requested command, which is waiting for the prompt or has been sent. */
  wanted: number | null;
  running: number | 'typed' | null;
  readonly line: PromptLine;
  /** Whether the integration was loaded since the last request to load it. */
  isLoaded: boolean;
  /** How often the requested command was sent. */
  tries: number;
  /** The directory that the shell last reported. */
  directory: string | null;
  /** The end that the hook reported, until it is accepted. */
  hookEnd: CommandEnd | null;
  /** When the hook reported it, on the same clock as `dueAt`. */
  hookAt: number | null;
  /** Whether the user has typed Enter since the command began. */
  hasEntered: boolean;
  /** When to call the session again, on the clock of the times passed in; null if not at all. */
  dueAt: number | null;
}

export function newSession(instance: number): SessionData {
  const nothing = { wanted: null, running: null, directory: null, hookEnd: null, hookAt: null, dueAt: null };
  const isNot = { isLoaded: false, hasEntered: false };
  return { instance, state: 'starting', turn: 0, line: emptyLine(), ...isNot, tries: 0, ...nothing };
}
