/** A session as one process hands it to another. */
import type { CommandEnd } from './effects.js';
import type { SessionState } from './state.js';

/** Plain data: all that is needed to go on elsewhere. */
export interface SessionData {
  readonly instance: number;
  readonly state: SessionState;
  readonly turn: number;
  readonly wanted: number | null;
  readonly running: number | 'typed' | null;
  readonly hasTyped: boolean;
  readonly hasSubmitted: boolean;
  readonly hasParked: boolean;
  readonly isUnsure: boolean;
  readonly parksDue: number;
  readonly isLoaded: boolean;
  readonly tries: number;
  readonly directory: string | null;
  readonly hookEnd: CommandEnd | null;
  readonly dueAt: number | null;
}
