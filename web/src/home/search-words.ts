/** Says what a search of all terminals has found, and how much it has searched. Pure. */
import { count, counted } from '../ui/durations.js';

export interface SearchCounts {
  readonly state: 'searching' | 'stopped' | 'done';
  readonly text: string;
  /** Number of lines that match, and of terminals with such lines. */
  readonly lines: number;
  readonly inTerminals: number;
  /** Number of terminals that were searched to their end, and of all. */
  readonly complete: number;
  readonly terminals: number;
  readonly searchedLines: number;
  readonly ms: number;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export function searchWords(counts: SearchCounts): string {
  const { state, text, lines, inTerminals, complete, terminals, searchedLines, ms } = counts;
  const all = counted(terminals, 'terminal');
  const where = `${counted(lines, 'line')} in ${count(inTerminals)} of ${all}`;
  if (state === 'searching') return `${where}. ${count(complete)} of ${count(terminals)} searched so far …`;
  if (state === 'stopped')
    return `${where}. The search stopped after ${seconds(ms)}; ${count(complete)} of ${all} were searched to the end.`;
  if (lines === 0) return `No line says “${text}”. ${counted(searchedLines, 'line')} were searched.`;
  const searched = `${counted(searchedLines, 'line')} in ${seconds(ms)}`;
  return `${where}. All histories were searched, those on disk too: ${searched}.`;
}
