/** Starts saving the history of a terminal if it should be kept on disk and the disk accepts it. */
import { join } from 'node:path';
import { HistorySaver } from './history-saver.js';
import type { SaverOptions } from './history-saver.js';
import type { EngineOptions } from '../contract/options.js';
import type { Transcript } from './transcript.js';

type Saved = Pick<SaverOptions, 'isBegun' | 'record' | 'onBehind'> & { readonly id: string };

/** Starts saving; returns null if the history stays in memory. */
export function openSaver(
  transcript: Transcript,
  { id, ...saved }: Saved,
  options: EngineOptions,
): HistorySaver | null {
  const { historyDir, historyPlace, maxDiskBytes, log } = options;
  if (historyDir === null || historyPlace === 'memory') return null;
  const warn = (problem: string): void => log('warn', 'History cannot be saved', { terminalId: id, problem });
  const onProblem = (problem: string | null): void =>
    problem === null ? log('info', 'History is saved again', { terminalId: id }) : warn(problem);
  try {
    return new HistorySaver(transcript, { ...saved, directory: join(historyDir, id), maxDiskBytes, onProblem });
  } catch (error) {
    warn((error as Error).message);
    return null;
  }
}
