/** Hand-off state of the shells of a terminal: plain data. */
import type { HandedFollowed } from './handed-followed.js';
import type { HandedArrival } from './nested/arrival.js';
import type { HandedDisplay } from './display.js';

/** All the state that a hand-off of a terminal's shells to another process needs. */
export interface HandedShell {
  /** Outermost first. */
  readonly shells: readonly HandedFollowed[];
  /** Base64: received, but not passed on. */
  readonly pending: string;
  /** Base64: typed by the user, but not given to the shell yet. */
  readonly kept: string;
  readonly display: HandedDisplay;
  readonly arrival: HandedArrival | null;
}
