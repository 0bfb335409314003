/** Says which lines of a history are no longer held, and the limits. Pure. */
import type { TerminalStats } from '../../../src/contract/output.js';
import { bytes, count, counted } from '../ui/durations.js';

export function droppedWords({ oldestLine, history }: Pick<TerminalStats, 'oldestLine' | 'history'>): string {
  const { droppedLines, place, limits } = history;
  const words = [];
  if (oldestLine > 0) words.push(`Lines 0 to ${count(oldestLine - 1)} are no longer held.`);
  const damaged = droppedLines - oldestLine;
  if (damaged > 0) words.push(`${counted(damaged, 'line')} could not be read from the disk.`);
  const inMemory = `${counted(limits.memoryLines, 'line')} or ${bytes(limits.memoryBytes)}`;
  words.push(
    place === 'disk' ? `The limit on disk is ${bytes(limits.diskBytes)}.` : `The limit in memory is ${inMemory}.`,
  );
  return words.join(' ');
}
