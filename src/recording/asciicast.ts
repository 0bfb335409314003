/**
 * Encodes a recording as asciicast, version 2 or 3: a header and one line of JSON for each event. A character is never
 * divided between two events; bytes that are not UTF-8 become U+FFFD, as on every screen. Pure.
 */
import { printableJson } from '../printable.js';
import type { Recording, RecordingHead } from './recording.js';

const MS_PER_S = 1000;
const TERM = 'xterm-256color';

/** An event as text: its time in whole milliseconds, its code, its data. */
type CastEvent = readonly [time: number, code: 'o' | 'r' | 'm' | 'x', data: string];

/** Times are intervals, computed from rounded times, so that rounding does not add up. */
export async function* asciicastV3(recording: Recording): AsyncGenerator<string> {
  const { head } = recording;
  const { cols, rows, title, command } = head;
  const term = { cols, rows, type: TERM };
  yield line({ version: 3, term, timestamp: timestampOf(head), title, command, tenacitty: detailsOf(head) });
  let last = Math.round(head.started);
  for await (const [time, code, data] of castEvents(recording)) {
    yield line([(time - last) / MS_PER_S, code, data]);
    last = time;
  }
}

/** Times are counted from the beginning. Version 2 has no event for the end. */
export async function* asciicastV2(recording: Recording): AsyncGenerator<string> {
  const { head } = recording;
  const { cols: width, rows: height, title, command } = head;
  const env = { TERM };
  yield line({
    version: 2,
    width,
    height,
    timestamp: timestampOf(head),
    title,
    command,
    env,
    tenacitty: detailsOf(head),
  });
  const started = Math.round(head.started);
  for await (const [time, code, data] of castEvents(recording)) {
    if (code !== 'x') yield line([(time - started) / MS_PER_S, code, data]);
  }
}

async function* castEvents({ head, events }: Recording): AsyncGenerator<CastEvent> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let time = Math.round(head.started);
  if (head.snapshot !== '') yield [time, 'o', head.snapshot];
  for await (const event of events) {
    time = Math.max(time, Math.round(event.time));
    if (event.type === 'resize') yield [time, 'r', `${event.cols}x${event.rows}`];
    else if (event.type === 'marker') yield [time, 'm', event.label];
    else if (event.type === 'exit') yield [time, 'x', String(event.status)];
    else {
      const text = decoder.decode(event.bytes, { stream: true });
      if (text !== '') yield [time, 'o', text];
    }
  }
}

function line(value: unknown): string {
  return `${printableJson(value)}\n`;
}

function timestampOf({ started }: RecordingHead): number {
  return Math.floor(started / MS_PER_S);
}

/** What asciicast has no field for; players ignore it. */
function detailsOf({ terminalId, timing, fromOffset, toOffset, dropped }: RecordingHead): object {
  return { terminalId, timing, fromOffset, toOffset, dropped };
}
