/** Completes the parameters that select a part of an output, and reports parameters that would have no effect. Pure. */
import type { z } from 'zod';
import { DEFAULT_HEAD_LINES, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, DEFAULT_TAIL_LINES } from './output.js';
import type { ReadRequest } from './output.js';

type PartField = 'mode' | 'headLines' | 'tailLines' | 'maxLines' | 'maxBytes';
/** The part as requested. */
export type RequestedPart = Pick<ReadRequest, PartField>;
/** The part with all defaults filled in. */
export type OutputPart = Required<{ [Field in PartField]: NonNullable<ReadRequest[Field]> }>;
/** A read with all defaults filled in. */
export type PageRequest = Omit<ReadRequest, PartField> & OutputPart;

type RequestedCommandPart = RequestedPart & Partial<Pick<ReadRequest, 'since' | 'cursor' | 'format'>>;

/**
 * One in this many lines shown is from the start of a command's output; the rest is from its end, where errors appear.
 */
const HEAD_SHARE = 5;

/** Returns the part to show: everything, or the given counts. Any given count is honoured, even if it is large. */
export function partOf(requested: RequestedPart): OutputPart {
  const { headLines = DEFAULT_HEAD_LINES, tailLines = DEFAULT_TAIL_LINES, maxBytes = DEFAULT_MAX_BYTES } = requested;
  const mode = requested.mode ?? modeOf(requested);
  const counted = { full: DEFAULT_MAX_LINES, head: headLines, tail: tailLines, 'head-tail': headLines + tailLines };
  return { mode, headLines, tailLines, maxLines: requested.maxLines ?? Math.max(1, counted[mode]), maxBytes };
}

function modeOf({ headLines, tailLines }: RequestedPart): OutputPart['mode'] {
  if (headLines !== undefined) return tailLines === undefined ? 'head' : 'head-tail';
  return tailLines === undefined ? 'full' : 'tail';
}

/**
 * Returns the part of a command's or program's output to show by default: all of it or, if it is too long, its start
 * and end. A request that continues from a position gets the output after that position.
 */
export function commandPartOf(requested: RequestedCommandPart): OutputPart {
  const { mode, headLines, tailLines, since, cursor, format, maxLines = DEFAULT_MAX_LINES } = requested;
  const isSaid = [mode, headLines, tailLines, since, cursor].some((value) => value !== undefined);
  if (isSaid || format === 'raw') return partOf(requested);
  const head = Math.floor(maxLines / HEAD_SHARE);
  return partOf({ ...requested, mode: 'head-tail', headLines: head, tailLines: maxLines - head, maxLines });
}

/** Reports parameters that have no effect in combination with the others. For `superRefine`. */
export function refuseWithoutEffect(requested: RequestedCommandPart, context: z.RefinementCtx): void {
  for (const [path, message] of withoutEffect(requested)) {
    context.addIssue({ code: 'custom', path: [path], message });
  }
}

function* withoutEffect({
  mode,
  headLines,
  tailLines,
  maxLines,
  format,
}: RequestedCommandPart): Generator<[string, string]> {
  const noEffect = (modes: string): string => `has no effect if mode is ${mode}; leave it out, or request ${modes}`;
  if (headLines !== undefined && (mode === 'full' || mode === 'tail'))
    yield ['headLines', noEffect('head or head-tail')];
  if (tailLines !== undefined && (mode === 'full' || mode === 'head'))
    yield ['tailLines', noEffect('tail or head-tail')];
  if (format !== 'raw') return;
  if (maxLines !== undefined)
    yield ['maxLines', 'has no effect on raw output, which is limited by bytes; give maxBytes'];
  if (partOf({ mode, headLines, tailLines, maxLines, maxBytes: undefined }).mode === 'head-tail')
    yield ['mode', 'cannot be head-tail if format is raw; request full, head or tail'];
}
