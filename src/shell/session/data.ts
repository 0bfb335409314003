/** Hand-off state of a session. */
import type { CommandEnd } from './effects.js';
import type { PromptLine } from './line.js';
import type { SessionState } from './state.js';

/** Plain data: all the state that another process needs. */
export interface SessionData {
  readonly instance: number;
  readonly state: SessionState;
  readonly turn: number;
  readonly wanted: number | null;
  readonly running: number | 'typed' | null;
  readonly line: PromptLine;
  readonly isLoaded: boolean;
  readonly tries: number;
  readonly directory: string | null;
  readonly hookEnd: CommandEnd | null;
  readonly dueAt: number | null;
}
