/** The shells of a terminal as one process hands them to another: plain data. */
import type { SessionData } from './session/data.js';
import type { ShellKind } from './shells.js';
import type { HandedFollowed } from './handed-followed.js';
import type { HandedArrival } from './nested/arrival.js';
import type { HandedDisplay } from './display.js';

/** All that is needed to go on with the shells of a terminal in another process. */
export interface HandedShell extends Pick<HandedFollowed, 'wanted' | 'running' | 'half'> {
  readonly kind: ShellKind;
  readonly directory: string;
  /** See `ScriptFiles`. */
  readonly isInMemory: boolean;
  readonly nonce: string;
  readonly session: SessionData;
  /** Base64: taken in, not given out. */
  readonly pending: string;
  /** Base64: typed by somebody, not given to the shell yet. */
  readonly kept: string;
  readonly display: HandedDisplay;
  /** Those within, outermost first. */
  readonly inner: readonly HandedFollowed[];
  readonly arrival: HandedArrival | null;
}
