/** Defines what handlers can use: the terminals, and information about the server. */
import type { TerminalManager } from '../contract/manager.js';
import type { SignIns } from '../access/sign-ins.js';
import type { Hooks } from '../hooks/hooks.js';
import type { DownloadTickets } from './download-tickets.js';
import type { Metrics } from './metrics.js';

export interface Service {
  readonly manager: TerminalManager;
  readonly hooks: Pick<Hooks, 'create' | 'list' | 'remove'>;
  readonly signIns: Pick<SignIns, 'shownTo' | 'end'>;
  readonly tickets: DownloadTickets;
  readonly metrics: Metrics;
  readonly version: string;
  /** Returns the server's address, such as `http://127.0.0.1:3001`. */
  url(): string;
  /** Equal for all servers with the same terminals. */
  readonly place: string;
  /** Problems other than the manager's, checked on each call. */
  placeProblems(): { readonly terminals: string | undefined; readonly keys: string | undefined };
  /** Whole seconds since the server began to accept requests. */
  uptimeSeconds(): number;
  /** Returns whether the server is stopping. */
  isClosing(): boolean;
}
