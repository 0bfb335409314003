/**
 * What handlers may use: the terminals, and what the server knows about itself. Nothing of HTTP.
 */
import type { TerminalManager } from '../contract/manager.js';
import type { Metrics } from './metrics.js';

export interface Service {
  readonly manager: TerminalManager;
  readonly metrics: Metrics;
  readonly version: string;
  /** Where the server answers, as `http://127.0.0.1:3001`. */
  url(): string;
  /** The same for all that have the same terminals. */
  readonly place: string;
  /** What cannot be used beside the manager; looked up when it is asked for. */
  placeProblems(): { readonly terminals: string | undefined; readonly keys: string | undefined };
  /** Whole seconds since the server began to answer. */
  uptimeSeconds(): number;
  /** Whether the server is stopping. */
  isClosing(): boolean;
}
