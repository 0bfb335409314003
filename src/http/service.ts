/** Defines what handlers can use: the terminals, and information about the server. */
import type { TerminalManager } from '../contract/manager.js';
import type { SignIns } from '../access/sign-ins.js';
import type { Hooks } from '../hooks/hooks.js';
import type { DownloadTickets } from './download-tickets.js';
import type { HostFigures, Metrics } from './metrics.js';
import type { LinkAnswers } from './link-answers.js';

export interface Service {
  readonly manager: TerminalManager;
  readonly hooks: Pick<Hooks, 'create' | 'list' | 'remove'>;
  readonly signIns: Pick<SignIns, 'shownTo' | 'end' | 'endAllOf'>;
  readonly tickets: DownloadTickets;
  readonly linkAnswers: LinkAnswers;
  readonly metrics: Metrics;
  readonly version: string;
  /** Returns the server's URL, such as `http://127.0.0.1:3001`. */
  url(): string;
  /** Identifies the set of terminals: equal for all servers that share them. */
  readonly place: string;
  /** Returns problems beyond the manager's own. Checks for them on each call. */
  placeProblems(): { readonly terminals: string | undefined; readonly keys: string | undefined };
  /** Returns the current figures of the host processes. */
  hosts(): Promise<readonly HostFigures[]>;
  /** Returns the number of whole seconds since the server began to accept requests. */
  uptimeSeconds(): number;
  /** Returns whether the server is stopping. */
  isClosing(): boolean;
}
