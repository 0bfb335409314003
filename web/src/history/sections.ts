/** Divides a history into sections by command, and decides how much of each section is shown. Pure. */
import type { CommandRecord } from '../../../src/contract/command.js';

/** A longer section shows only its start and its end. */
const MAX_WHOLE = 2000;
const EDGE = 40;
export const STEP = 1000;

/** The lines from `from` to `to`, both included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Section extends Range {
  /** Null for output that was printed between commands. */
  readonly command: CommandRecord | null;
}

/** How many lines of a long section are shown from its start and from its end. */
export interface Extent {
  readonly head: number;
  readonly tail: number;
}

export const EDGES: Extent = { head: EDGE, tail: EDGE };
export const sizeOf = ({ from, to }: Range): number => Math.max(0, to - from + 1);

/**
 * Returns the sections of the lines that are held. A nested command belongs to the section of the command that contains
 * it.
 */
export function sectionsOf(commands: readonly CommandRecord[], held: Range): Section[] {
  const sections: Section[] = [];
  let next = held.from;
  for (const command of commands.filter(({ within }) => within === null)) {
    const from = Math.max(next, command.fromLine);
    const to = Math.min(held.to, command.toLine ?? held.to);
    if (from > held.to + 1 || (command.toLine !== null && command.toLine < held.from)) continue;
    if (from > next) sections.push({ command: null, from: next, to: from - 1 });
    // A command whose lines all belong to the one before it has an empty section.
    sections.push({ command, from, to: Math.max(to, from - 1) });
    next = Math.max(to, from - 1) + 1;
  }
  if (next <= held.to) sections.push({ command: null, from: next, to: held.to });
  return sections;
}

/** Identifies a section while its history grows. */
export const keyOf = ({ command, from }: Section): string =>
  command === null ? `L${from}` : String(command.commandId);

/** Returns whether a section is folded, which it is if its command succeeded and no link points into it. */
export function isFolded({ command, from, to }: Section, linked: Range | null): boolean {
  if (command === null) return false;
  if (linked !== null && linked.from <= to && linked.to >= from) return false;
  return command.state === 'completed' && command.exitCode === 0;
}

/** Returns the parts of a section that are shown; the lines between two parts are hidden. */
export function shownParts(section: Range, { head, tail }: Extent, linked: Range | null): Range[] {
  const size = sizeOf(section);
  if (size <= MAX_WHOLE || head + tail >= size) return size === 0 ? [] : [{ from: section.from, to: section.to }];
  const edges = [
    { from: section.from, to: section.from + head - 1 },
    { from: section.to - tail + 1, to: section.to },
  ];
  const isInside = linked !== null && linked.from >= section.from && linked.from <= section.to;
  return joined(isInside ? [...edges, around(linked, section)] : edges);
}

function around({ from, to }: Range, section: Range): Range {
  const end = Math.min(to, from + STEP);
  return { from: Math.max(section.from, from - EDGE), to: Math.min(section.to, end + EDGE) };
}

function joined(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && range.from <= last.to + 1)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else result.push(range);
  }
  return result;
}

/** Returns the URL hash that refers to these lines. */
export function hashOf({ from, to }: Range): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}

/**
 * Returns from which line on the end of a section that is still growing stays shown.
 *
 * @param known - What this returned before.
 * @param isFollowed - Whether the reader is at the end: then lines far above the view may be hidden again.
 */
export function pinOf({ from, to }: Range, known: number | undefined, isFollowed: boolean): number {
  const first = to - from < MAX_WHOLE ? from : to - EDGE + 1;
  if (known === undefined) return first;
  return isFollowed && to - known >= 2 * MAX_WHOLE ? to - STEP + 1 : known;
}

/** Returns a curl command that reads these lines. */
export function linesAsCurl(origin: string, terminal: string, range: Range): string {
  // A quote is the only character that `encodeURIComponent` keeps and a shell does not.
  const id = encodeURIComponent(terminal).replaceAll("'", '%27');
  return `curl '${origin}/api/terminals/${id}/output?since=${range.from}&maxLines=${sizeOf(range)}'`;
}
