/**
 * Defines the schemas for recordings: which part of a terminal's output in which format, and the track of times that
 * they are made from. Contains no logic and does not depend on the API layer or the engine.
 */
import { z } from 'zod';
import { commandId } from './command-state.js';

export const recordingFormat = z
  .enum(['asciicast-v3', 'asciicast-v2', 'text', 'ansi', 'raw'])
  .describe(
    '`asciicast-v3`, `asciicast-v2`: with times, for players. `text`: lines as displayed. `ansi`: lines with colours. ' +
      '`raw`: the bytes as written.',
  );
export type RecordingFormat = z.output<typeof recordingFormat>;

const offset = z.int().min(0).optional();
const time = z.iso.datetime({ offset: true }).optional();

/** Which part to record, and in which form. */
export const readRecording = z
  .strictObject({
    format: recordingFormat.default('asciicast-v3'),
    command: commandId.optional().describe('Only this command. Excludes the other limits.'),
    fromOffset: offset.describe('Offset in the output where the recording begins.'),
    toOffset: offset.describe('Offset in the output where the recording ends. Default: the current end.'),
    fromTime: time.describe('Only output written after this time. Excludes `fromOffset`.'),
    toTime: time.describe('Only output written up to this time. Excludes `toOffset`.'),
    idleLimitMs: z
      .int()
      .min(0)
      .optional()
      .describe('Longer pauses are shortened to this many milliseconds. Only for asciicast.'),
  })
  .refine(
    ({ command, fromOffset, toOffset, fromTime, toTime }) =>
      command === undefined || [fromOffset, toOffset, fromTime, toTime].every((limit) => limit === undefined),
    {
      path: ['command'],
      error: 'cannot be combined with other limits',
    },
  )
  .refine(({ fromOffset, fromTime }) => fromOffset === undefined || fromTime === undefined, {
    path: ['fromTime'],
    error: 'give either `fromOffset` or `fromTime`',
  })
  .refine(({ toOffset, toTime }) => toOffset === undefined || toTime === undefined, {
    path: ['toTime'],
    error: 'give either `toOffset` or `toTime`',
  });
export type ReadRecording = z.input<typeof readRecording>;
export type RecordingRequest = z.output<typeof readRecording>;

/** Maximum number of points in one response. */
export const MAX_TRACK_POINTS = 4096;

/** Which part of a track to read. Times are milliseconds since the epoch. */
export const readTrack = z.strictObject({
  fromOffset: z.int().min(0).default(0).describe('Offset in the output where the part begins.'),
  fromTime: z.number().min(0).optional().describe('Instead of `fromOffset`: begins at the first output after this.'),
  toOffset: z.int().min(0).optional().describe('Offset where the part ends. Default: the end of the output.'),
});
export type ReadTrack = z.input<typeof readTrack>;
export type TrackRequest = z.output<typeof readTrack>;

/** An offset, and when the output from there was written: it applies up to the next point. */
export type TrackPoint = readonly [offset: number, time: number];

/** The screen has this size from this offset on. */
export interface TrackedSize {
  readonly offset: number;
  readonly time: number;
  readonly cols: number;
  readonly rows: number;
}

/** A part of a track. */
export interface TrackPage {
  /** `reads`: each read of the program's output has its time, to 5 ms. `lines`: each line has the time it began. */
  readonly timing: 'reads' | 'lines';
  /** Offset where this part begins; the end of the output if there is no output after `fromTime`. */
  readonly fromOffset: number;
  /** The first offset from `fromOffset` on whose output is still held. */
  readonly heldFrom: number;
  /** In order; the first one says when the output at `fromOffset` was written. */
  readonly points: readonly TrackPoint[];
  /** The size at `fromOffset`, and the later sizes up to the end of this part. */
  readonly sizes: readonly TrackedSize[];
  /** Offset where the next part begins; null if this is the last. */
  readonly nextOffset: number | null;
}
