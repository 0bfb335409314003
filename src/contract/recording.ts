/**
 * Defines the schema of requests for recordings: a form, and which part of a terminal's output. Contains no logic and
 * does not depend on the API layer or the engine.
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
