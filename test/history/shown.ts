/** A transcript without limits, and its contents in the reference's format. */
import { Transcript } from '../../src/transcript/transcript.js';

export function unboundedTranscript(cols: number, rows: number): Transcript {
  return new Transcript({ id: 'a', cols, rows, maxLines: 1e6, maxBytes: 1e8, now: () => 0, onReply: () => undefined });
}

export function linesOf(transcript: Transcript): string[] {
  const view = transcript.view();
  return Array.from({ length: view.total }, (_, n) => view.text(n));
}

export function screenOf(transcript: Transcript): unknown {
  const { lines, cursor, alternate } = transcript.screen('ansi');
  return { rows: lines, cursorX: cursor.x, cursorY: cursor.y, type: alternate ? 'alternate' : 'normal' };
}
