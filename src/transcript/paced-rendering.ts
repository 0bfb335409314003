/**
 * Renders output a second time, as that of one command, with turns for everything else in between, and not for ever: on a
 * large screen a few kilobytes can be minutes of work. It knows no command and no reader.
 */
import { PacedIntake } from '../pty/paced-intake.js';
import type { Transcript } from './transcript.js';

/** What one answer may cost, in time of the processor: a hundred times what some megabytes of colours do. */
const MAX_RENDERING_MS = 5000;

/** How much of it is left, for all that one answer renders. */
export interface RenderingBudget {
  leftMs: number;
}

export function renderingBudget(): RenderingBudget {
  return { leftMs: MAX_RENDERING_MS };
}

/** Appends as much as the budget allows; resolves to how many bytes that was. The bytes must not change meanwhile. */
export function appendPaced(transcript: Transcript, bytes: Uint8Array, budget: RenderingBudget): Promise<number> {
  if (bytes.length === 0) return Promise.resolve(0);
  const { cols, rows } = transcript.size;
  let taken = 0;
  return new Promise((resolve, reject) => {
    const intake = new PacedIntake({
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
      cells: () => cols * rows,
      onBehind: () => {},
      onTaken: () => {},
    });
    intake.add(bytes);
  });
}

/** Of the processor, not of the clock: on a busy machine that one runs on. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
