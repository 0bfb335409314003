/** Writes a recording in one of its formats, piece by piece, as fast as the consumer accepts it. */
import { bytesBetween, downloaded } from '../calls/download.js';
import type { TerminalManager } from '../contract/manager.js';
import type { RecordingFormat, RecordingRequest } from '../contract/recording.js';
import type { TerminalError } from '../errors.js';
import { invalidInput } from '../errors.js';
import { asciicastV2, asciicastV3 } from './asciicast.js';
import { openRecording } from './open-recording.js';
import { spanOf } from './span.js';

export const EXTENSIONS: Readonly<Record<RecordingFormat, string>> = {
  'asciicast-v3': 'cast',
  'asciicast-v2': 'cast',
  text: 'txt',
  ansi: 'ansi',
  raw: 'raw',
};

/** Events are small; this much is written at once. */
const PIECE_CHARS = 32 << 10;

/** @throws The errors of `openRecording`, before the first piece. */
export async function exported(
  manager: TerminalManager,
  id: string,
  request: RecordingRequest,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { format, idleLimitMs, ...limits } = request;
  const isCast = format === 'asciicast-v3' || format === 'asciicast-v2';
  if (!isCast && idleLimitMs !== undefined) throw timeless(format, idleLimitMs);
  const isWhole = Object.values(limits).every((limit) => limit === undefined);
  if (isWhole && (format === 'text' || format === 'ansi')) return downloaded(manager, id, format);
  if (format === 'raw') {
    const { from, to } = await spanOf(manager, id, request, (await manager.get(id)).totalBytes);
    return bytesBetween(manager, id, from, to);
  }
  const recording = await openRecording(manager, id, request);
  if (isCast) return inPieces(format === 'asciicast-v3' ? asciicastV3(recording) : asciicastV2(recording));
  // Imported on demand, because the module includes a terminal emulator and takes time to load.
  return inPieces((await import('./rendered.js')).renderedLines(recording, format));
}

function timeless(format: string, given: number): TerminalError {
  const expected = 'format asciicast-v3 or asciicast-v2';
  return invalidInput({
    field: 'idleLimitMs',
    message: `${format} has no times; give it with ${expected}`,
    given,
    expected,
  });
}

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
