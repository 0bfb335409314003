/**
 * Renders a command's output separately, yielding to other work in between, within a time budget: on a large screen, a
 * few kilobytes can take minutes.
 */
import { PacedOutput } from '../pty/paced-output.js';
import type { Transcript } from './transcript.js';

/** Maximum CPU time for one response: a hundred times as long as a few megabytes of coloured text take. */
const MAX_RENDERING_MS = 5000;

/** The CPU time left for everything that is rendered for one response. */
export interface RenderingBudget {
  leftMs: number;
}

export function renderingBudget(): RenderingBudget {
  return { leftMs: MAX_RENDERING_MS };
}

/**
 * Appends as much as the budget allows; resolves with the number of bytes. The bytes must not change in the meantime.
 */
export function appendPaced(transcript: Transcript, bytes: Uint8Array, budget: RenderingBudget): Promise<number> {
  if (bytes.length === 0) return Promise.resolve(0);
  const { size } = transcript;
  let taken = 0;
  return new Promise((resolve, reject) => {
    const intake = new PacedOutput({
      take: (piece) => {
        try {
          budget.leftMs -= cpuMsOf(() => transcript.append(piece));
        } catch (error) {
          intake.drop();
          return reject(error instanceof Error ? error : new Error(String(error)));
        }
        taken += piece.length;
        if (taken < bytes.length && budget.leftMs > 0) return;
        intake.drop();
        resolve(taken);
      },
      size: () => size,
      onBehind: () => {},
      onTaken: () => {},
    });
    intake.add(bytes);
  });
}

/** Resizes the screen. Resizing a large screen takes tens of milliseconds. */
export function resizeWithin(
  budget: RenderingBudget,
  transcript: Transcript,
  { cols, rows }: Transcript['size'],
): void {
  budget.leftMs -= cpuMsOf(() => transcript.resize(cols, rows));
}

/** Returns the CPU time of `work`: wall time also passes while a busy machine does other work. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
