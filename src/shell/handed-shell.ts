/** The shells of a terminal as one process hands them to another: plain data. */
import type { HandedFollowed } from './handed-followed.js';
import type { HandedArrival } from './nested/arrival.js';
import type { HandedDisplay } from './display.js';

/** All that is needed to go on with the shells of a terminal in another process. */
export interface HandedShell {
  /** Outermost first. */
  readonly shells: readonly HandedFollowed[];
  /** Base64: taken in, not given out. */
  readonly pending: string;
  /** Base64: typed by somebody, not given to the shell yet. */
  readonly kept: string;
  readonly display: HandedDisplay;
  readonly arrival: HandedArrival | null;
}
