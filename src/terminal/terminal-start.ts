/** What a terminal is started with, and what it reports to its manager. Types only. */
import type { TerminalLabels } from '../contract/labels.js';
import type { Launch } from '../launch/launch.js';
import type { PtyExit } from '../pty/pty.js';
import type { Integration } from '../shell/launch.js';

export interface TerminalEvents {
  /** The history can still be read. */
  onExit(exit: PtyExit): void;
  onOutput(bytes: number): void;
}

/** What a terminal is started with. */
export interface TerminalStart {
  readonly launch: Launch;
  /** Set for a shell that is to be integrated. */
  readonly integration: Integration | null;
  readonly name: string | null;
  readonly labels: TerminalLabels;
  readonly timeLimitMs: number | null;
  readonly endsWithCommand: boolean;
}
