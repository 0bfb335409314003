/**
 * Which part of an output is shown where a request leaves something out, and what of a request would have no effect.
 * Pure; it knows neither the output nor who reads it.
 */
import type { z } from 'zod';
import { DEFAULT_HEAD_LINES, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, DEFAULT_TAIL_LINES } from './output.js';
import type { ReadRequest } from './output.js';

type PartField = 'mode' | 'headLines' | 'tailLines' | 'maxLines' | 'maxBytes';
/** As it was asked for. */
export type AskedPart = Pick<ReadRequest, PartField>;
/** With everything filled in. */
export type OutputPart = Required<{ [Field in PartField]: NonNullable<ReadRequest[Field]> }>;
/** A read with everything filled in. */
export type PageRequest = Omit<ReadRequest, PartField> & OutputPart;

type AskedOfCommand = AskedPart & Partial<Pick<ReadRequest, 'since' | 'cursor' | 'format'>>;

/** Of what a command has printed, the start is shown so much shorter than the end: errors stand there. */
const HEAD_SHARE = 5;

/** What a reader is shown: all, or what is counted. A count is honoured, however large. */
export function partOf(asked: AskedPart): OutputPart {
  const { headLines = DEFAULT_HEAD_LINES, tailLines = DEFAULT_TAIL_LINES, maxBytes = DEFAULT_MAX_BYTES } = asked;
  const mode = asked.mode ?? modeOf(asked);
  const counted = { full: DEFAULT_MAX_LINES, head: headLines, tail: tailLines, 'head-tail': headLines + tailLines };
  return { mode, headLines, tailLines, maxLines: asked.maxLines ?? Math.max(1, counted[mode]), maxBytes };
}

function modeOf({ headLines, tailLines }: AskedPart): OutputPart['mode'] {
  if (headLines !== undefined) return tailLines === undefined ? 'head' : 'head-tail';
  return tailLines === undefined ? 'full' : 'tail';
}

/**
 * What is shown of a command or a program where nothing is said: all of it, or where that is too long its start and its
 * end. Who reads on from somewhere is given what follows.
 */
export function commandPartOf(asked: AskedOfCommand): OutputPart {
  const { mode, headLines, tailLines, since, cursor, format, maxLines = DEFAULT_MAX_LINES } = asked;
  const isSaid = [mode, headLines, tailLines, since, cursor].some((value) => value !== undefined);
  if (isSaid || format === 'raw') return partOf(asked);
  const head = Math.floor(maxLines / HEAD_SHARE);
  return partOf({ ...asked, mode: 'head-tail', headLines: head, tailLines: maxLines - head, maxLines });
}

/** Refuses what has no effect beside the rest. For `superRefine`. */
export function refuseWithoutEffect(asked: AskedOfCommand, context: z.RefinementCtx): void {
  for (const [path, message] of withoutEffect(asked)) {
    context.addIssue({ code: 'custom', path: [path], message });
  }
}

function* withoutEffect({ mode, headLines, tailLines, maxLines, format }: AskedOfCommand): Generator<[string, string]> {
  const noEffect = (modes: string): string => `has no effect where mode is ${mode}: leave it out, or ask for ${modes}`;
  if (headLines !== undefined && (mode === 'full' || mode === 'tail'))
    yield ['headLines', noEffect('head or head-tail')];
  if (tailLines !== undefined && (mode === 'full' || mode === 'head'))
    yield ['tailLines', noEffect('tail or head-tail')];
  if (format !== 'raw') return;
  if (maxLines !== undefined) yield ['maxLines', 'has no effect on raw output, which is cut by bytes: give maxBytes'];
  if (partOf({ mode, headLines, tailLines, maxLines, maxBytes: undefined }).mode === 'head-tail')
    yield ['mode', 'cannot be head-tail where format is raw: ask for full, head or tail'];
}
