/**
 * Reads a part of a terminal's track. Where no reads were recorded, because another version of the program held the
 * terminal or the oldest were dropped, uses the times of its lines.
 */
import { MAX_TRACK_POINTS } from '../contract/recording.js';
import type { TrackedSize, TrackPage, TrackPoint, TrackRequest } from '../contract/recording.js';
import { invalidInput } from '../errors.js';
import { skipLost } from '../history/spans.js';
import { Track } from '../history/track.js';
import type { HistoryView } from '../history/view.js';
import type { BaseTerminal } from './base-terminal.js';

/** Maximum number of lines examined for one page. */
const MAX_LINES = 65_536;

/** @throws `INVALID_INPUT` if `fromOffset` is beyond the terminal's output. */
export async function trackOf(terminal: BaseTerminal, request: TrackRequest): Promise<TrackPage> {
  const track = await trackFor(terminal, request);
  const view = terminal.transcript.view();
  const end = Math.min(request.toOffset ?? Infinity, view.outputEnd);
  const fromOffset = request.fromTime === undefined ? request.fromOffset : offsetAfter(view, track, request.fromTime);
  if (fromOffset > view.outputEnd) throw beyond(fromOffset, view.outputEnd);
  const heldFrom = terminal.readableFrom(fromOffset);
  const areReads = track.start <= heldFrom || heldFrom === view.outputEnd;
  const { points, nextOffset } = areReads
    ? readPoints(track, heldFrom, end)
    : linePoints(view, heldFrom, Math.min(end, track.start), end);
  const first = points[0];
  const start: TrackPoint[] =
    first === undefined || first[0] > heldFrom ? [[heldFrom, first?.[1] ?? terminal.created]] : [];
  const isToEnd = nextOffset === null && end === view.outputEnd;
  const before = isToEnd ? Infinity : (nextOffset ?? end);
  return {
    timing: areReads ? 'reads' : 'lines',
    ...{ fromOffset, heldFrom, points: [...start, ...points], nextOffset },
    sizes: sizesBetween(sizesOf(terminal, track), heldFrom, before),
  };
}

/** Returns the track in memory or, if that begins too late, the one on disk. */
async function trackFor(terminal: BaseTerminal, { fromOffset, fromTime }: TrackRequest): Promise<Track> {
  const { track } = terminal.transcript.view();
  const isHeld = fromTime === undefined ? track.start <= fromOffset : track.startTime <= fromTime;
  return isHeld || track.store === null ? track : new Track(await track.store.read());
}

function beyond(given: number, end: number): Error {
  const expected = `a whole number from 0 to ${end}, the end of the output`;
  const message = `expected ${expected}, given ${given}`;
  return invalidInput({ field: 'fromOffset', message, given, expected });
}

interface Points {
  readonly points: readonly TrackPoint[];
  readonly nextOffset: number | null;
}

function readPoints(track: Track, from: number, end: number): Points {
  const points = track.points(from, end, MAX_TRACK_POINTS + 1);
  const next = points.length > MAX_TRACK_POINTS ? points.pop()! : null;
  return { points, nextOffset: next?.[0] ?? null };
}

/** @param until - Where the recorded reads begin. */
function linePoints(view: HistoryView, from: number, until: number, end: number): Points {
  const points: TrackPoint[] = [];
  let line = Math.max(view.oldest, lineWhere(view, (n) => view.offsetOf(n) > from) - 1);
  for (let looked = 0; ; line++, looked++) {
    line = skipLost(view.lostLines, line);
    const offset = line < view.total ? view.offsetOf(line) : Infinity;
    if (offset >= until) return { points, nextOffset: until < end ? until : null };
    if (looked >= MAX_LINES || points.length >= MAX_TRACK_POINTS) return { points, nextOffset: offset };
    const last = points.at(-1);
    const time = view.timeOf(line);
    if (last === undefined || (offset > last[0] && time > last[1])) points.push([offset, time]);
  }
}

function offsetAfter(view: HistoryView, track: Track, time: number): number {
  if (track.startTime <= time) return track.offsetAfter(time) ?? view.outputEnd;
  const line = lineWhere(view, (n) => view.timeOf(n) > time);
  const offset = line < view.total ? view.offsetOf(line) : view.outputEnd;
  return Math.min(offset, track.start);
}

/** Returns the first line for which a condition holds that holds for all later ones; `total` if there is none. */
function lineWhere(view: HistoryView, holds: (line: number) => boolean): number {
  let [low, high] = [view.oldest, view.total];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const held = skipLost(view.lostLines, middle);
    if (held >= high || holds(held)) high = middle;
    else low = held + 1;
  }
  return low;
}

/** Returns all known sizes, oldest first. Without a track, those of the terminal's commands. */
function sizesOf(terminal: BaseTerminal, track: Track): readonly TrackedSize[] {
  if (track.sizes.length > 0) return track.sizes;
  const ofCommands = terminal.log.all.flatMap(({ sizes, started }) =>
    sizes.map((size) => ({ ...size, time: started })),
  );
  return ofCommands.length > 0 ? ofCommands : [{ offset: 0, time: 0, ...terminal.size }];
}

function sizesBetween(sizes: readonly TrackedSize[], from: number, before: number): TrackedSize[] {
  const first = sizes.findLast(({ offset }) => offset <= from) ?? sizes[0]!;
  return [first, ...sizes.slice(sizes.indexOf(first) + 1).filter(({ offset }) => offset < before)];
}
