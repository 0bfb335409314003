/** Finds the part of a terminal's output that a recording contains. */
import type { CommandRecord } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import type { RecordingRequest } from '../contract/recording.js';
import { invalidInput } from '../errors.js';

/** Output `[from, to)`. */
export interface RecordedSpan {
  readonly from: number;
  readonly to: number;
  /** Whether it reaches to the current end of the output. */
  readonly isToEnd: boolean;
  /** The command that it belongs to, if only that was requested. */
  readonly command: CommandRecord | null;
}

/**
 * @param end - The current end of the output.
 * @throws `INVALID_INPUT` if a limit is beyond the output, or the limits are in the wrong order; `COMMAND_NOT_FOUND`.
 */
export async function spanOf(
  manager: TerminalManager,
  id: string,
  request: RecordingRequest,
  end: number,
): Promise<RecordedSpan> {
  if (request.command !== undefined) {
    const command = await manager.command(id, request.command);
    return { from: command.fromOffset, to: command.toOffset ?? end, isToEnd: false, command };
  }
  const atTime = async (time: string): Promise<number> =>
    Math.min(end, (await manager.track(id, { fromTime: Date.parse(time), toOffset: 0 })).fromOffset);
  const from = request.fromTime === undefined ? (request.fromOffset ?? 0) : await atTime(request.fromTime);
  const to = request.toTime === undefined ? (request.toOffset ?? end) : await atTime(request.toTime);
  if (from > end) throw outside('fromOffset', from, 0, end);
  if (to < from || to > end) throw outside(request.toTime === undefined ? 'toOffset' : 'toTime', to, from, end);
  return { from, to, isToEnd: to === end && request.toTime === undefined, command: null };
}

function outside(field: string, given: number, least: number, most: number): Error {
  const expected = `an offset from ${least} to ${most}, the end of the output`;
  return invalidInput({ field, message: `expected ${expected}, given ${given}`, given, expected });
}
