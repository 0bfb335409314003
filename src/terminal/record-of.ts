/**
 * Builds the record of a running terminal, to be written to disk, from its identity and state. Pure, except for the
 * time.
 */
import type { TerminalRecord } from '../store/terminal-record.js';
import type { Identity } from './identity.js';

type State = Omit<TerminalRecord, 'version' | 'saved' | keyof Identity>;

export function recordOf(
  { id, file, args, startCwd, created, name, labels, timeLimitMs, createdBy = null }: Identity,
  state: State,
): TerminalRecord {
  const identity = { id, file, args: [...args], startCwd, created, name, labels: { ...labels }, timeLimitMs };
  return { version: 1, ...identity, createdBy, ...state, saved: Date.now() };
}
