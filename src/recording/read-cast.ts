/** Reads asciicast, version 2 or 3, from any program. Rejects what is malformed, and says where. */
import { z } from 'zod';
import { invalidInput } from '../errors.js';
import { limitPauses } from './pauses.js';

/** An event with its time in milliseconds from the beginning. Other codes may occur. */
export interface CastEvent {
  readonly time: number;
  readonly code: string;
  readonly data: string;
}

export interface Cast {
  readonly title: string;
  readonly events: readonly CastEvent[];
}

/** A cast is held in memory as a whole, so that any moment of it can be shown at once. */
const MAX_CAST_CHARS = 128 << 20;
const MAX_CAST_EVENTS = 5_000_000;
const MS_PER_S = 1000;
const MAX_SECONDS = 10 * 365 * 24 * 3600;

const header = z.looseObject({ version: z.literal([2, 3]), title: z.string().optional() });
const event = z.tuple([z.number().min(0).max(MAX_SECONDS), z.string(), z.string()]);

/**
 * @param lines - The lines of the file.
 * @param idleLimitMs - Longer pauses are shortened to this.
 * @throws `INVALID_INPUT` for anything but a cast of at most `MAX_CAST_CHARS`.
 */
export async function readCast(lines: AsyncIterable<string>, idleLimitMs = Infinity): Promise<Cast> {
  let head: z.output<typeof header> | null = null;
  const events: CastEvent[] = [];
  const limited = limitPauses(0, idleLimitMs);
  let [number, chars, seconds] = [0, 0, 0];
  for await (const line of lines) {
    number++;
    chars += line.length;
    if (chars > MAX_CAST_CHARS || events.length >= MAX_CAST_EVENTS) throw tooLarge(number);
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (head === null) {
      head = parsed(line, header, number, 'the header of an asciicast of version 2 or 3');
      continue;
    }
    const [time, code, data] = parsed(line, event, number, '[seconds, code, data]');
    seconds = head.version === 3 ? seconds + time : Math.max(seconds, time);
    events.push({ time: limited(seconds * MS_PER_S), code, data });
  }
  if (head === null) throw invalid(number, 'the header of an asciicast', '');
  return { title: head.title ?? '', events };
}

function parsed<Schema extends z.ZodType>(line: string, schema: Schema, number: number, expected: string) {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw invalid(number, expected, line);
  }
}

const MAX_SHOWN_CHARS = 80;

function invalid(number: number, expected: string, line: string): Error {
  const given = line.slice(0, MAX_SHOWN_CHARS);
  return invalidInput({
    field: `line ${number}`,
    message: `expected ${expected}, given ${JSON.stringify(given)}`,
    given,
    expected,
  });
}

function tooLarge(number: number): Error {
  const expected = `at most ${MAX_CAST_CHARS} characters and ${MAX_CAST_EVENTS} events`;
  return invalidInput({
    field: `line ${number}`,
    message: `the recording is too large: expected ${expected}`,
    expected,
  });
}
