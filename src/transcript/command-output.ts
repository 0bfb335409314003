/**
 * Renders the output of one command separately, as if it had been printed on an empty screen. For a running command,
 * only new output is processed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RevisionTracker } from '../history/revision-tracker.js';
import type { RevisionState } from '../history/revision-tracker.js';
import type { HistoryView } from '../history/view.js';
import { modesIn } from './viewer-marks.js';
import { omittedNote } from '../pty/paced-output.js';
import { appendPaced, renderingBudget, resizeWithin, type RenderingBudget } from './paced-rendering.js';
import { MAX_PLAIN_OUTPUT_BYTES, plainView } from './plain-output.js';
import { Transcript } from './transcript.js';

/** Provides the bytes of a command's output. */
export interface OutputSource {
  readonly outputStart: number;
  readonly outputEnd: number;
  readonly size: { readonly cols: number; readonly rows: number };
  bytesFrom(from: number, maxBytes: number): Uint8Array;
}

export interface OutputSpan {
  /** Distinguishes this output from others. */
  readonly id: string;
  readonly fromOffset: number;
  /** Null while the command is running. */
  readonly toOffset: number | null;
  /** Screen sizes, each with the offset where it begins to apply, in order; empty if unknown. */
  readonly sizes: readonly { readonly offset: number; readonly cols: number; readonly rows: number }[];
}

/** The current extent of the output. */
type Extent = Pick<OutputSpan, 'toOffset' | 'sizes'>;

/** What readers have been shown of an output that was not final yet. */
export interface ShownOutput {
  /**
   * Offset in the terminal's output where rendering began; with a different start, lines would have different numbers.
   */
  readonly begin: number;
  /** The offset that has been rendered up to. */
  readonly at: number;
  readonly seen: RevisionState;
}

/** What a command has printed, as its readers see it. */
export interface CommandOutput {
  /** Whether part of it is missing: no longer held, or skipped because the output is too large. */
  readonly isCut: boolean;
  /**
   * Processes the output so far.
   *
   * @param extent - Called when the output is read, which may be after other readers: what is printed after the end of
   * the command is not part of it.
   */
  upTo(extent: () => Extent): Promise<void>;
  /** Null if the output was final before any reader saw it. */
  readonly shown: ShownOutput | null;
  /** Valid until `upTo` is called again. */
  view(): HistoryView;
  /** Memory that it uses, approximately. */
  readonly heldBytes: number;
}

/** @param shown - What readers were shown of an earlier rendering. */
export function commandOutput(span: OutputSpan, source: OutputSource, shown: ShownOutput | null): CommandOutput {
  return (shown === null ? plainOutput(span, source) : null) ?? new RenderedCommandOutput(span, source, shown);
}

/**
 * Renders the output directly, without an emulator. Returns null if the command is still running, if the output is too
 * long, not plain or no longer held in full, or if more than one screen size applied to it.
 */
function plainOutput({ id, fromOffset, toOffset, sizes }: OutputSpan, source: OutputSource): CommandOutput | null {
  const length = (toOffset ?? Infinity) - fromOffset;
  if (length > MAX_PLAIN_OUTPUT_BYTES || fromOffset < source.outputStart || sizes.length > 1) return null;
  const { cols } = sizes[0] ?? source.size;
  const { buffer, byteOffset, byteLength } = source.bytesFrom(fromOffset, length);
  const view = byteLength < length ? null : plainView(id, Buffer.from(buffer, byteOffset, byteLength), cols);
  return view && { isCut: false, shown: null, upTo: () => Promise.resolve(), view: () => view, heldBytes: length };
}

/** Maximum output rendered; only the end of longer output is kept. */
const MAX_OUTPUT_BYTES = 16 << 20;
const MAX_OUTPUT_LINES = 400_000;
/** Memory that a line uses besides its text. */
const LINE_BYTES = 64;
/** Size of one copy. */
const SLICE_BYTES = 256 << 10;

class RenderedCommandOutput implements CommandOutput {
  readonly #span: OutputSpan;
  readonly #source: OutputSource;
  #transcript: Transcript;
  #at: number;
  /** What readers were shown of an earlier rendering, until this rendering has come that far. */
  #before: ShownOutput | null;
  #isFinished = false;
  #isLeftOut = false;
  #taking: Promise<void> = Promise.resolve();

  constructor(span: OutputSpan, source: OutputSource, shown: ShownOutput | null) {
    this.#span = span;
    this.#source = source;
    const end = span.toOffset ?? source.outputEnd;
    this.#at = Math.max(span.fromOffset, source.outputStart, end - MAX_OUTPUT_BYTES);
    this.#before = shown?.begin === this.#at ? shown : null;
    this.#transcript = this.#newTranscript();
  }

  #newTranscript(): Transcript {
    const { id, sizes } = this.#span;
    const { cols, rows } = sizes[0] ?? this.#source.size;
    const now = (): number => Date.now();
    const limits = { maxLines: MAX_OUTPUT_LINES, maxBytes: MAX_OUTPUT_BYTES };
    return new Transcript({ id, cols, rows, ...limits, now, onReply: () => {} });
  }

  get shown(): ShownOutput | null {
    if (this.#before !== null) return this.#before;
    const { state } = this.#transcript.revisions;
    return state.revision === 0 ? null : { begin: this.#begin, at: this.#at, seen: state };
  }

  get isCut(): boolean {
    const { outputStart, oldest } = this.#transcript.view();
    return this.#isLeftOut || outputStart > 0 || oldest > 0 || this.#begin > this.#span.fromOffset;
  }

  get heldBytes(): number {
    const { total, oldest } = this.view();
    return this.#transcript.heldBytes + (total - oldest) * LINE_BYTES;
  }

  /** Where rendering began. */
  get #begin(): number {
    return this.#at - this.#transcript.end;
  }

  upTo(extent: () => Extent): Promise<void> {
    // Sequential, so that two readers do not both process the same bytes.
    const taken = this.#taking.then(() => this.#take(extent()));
    this.#taking = taken.catch(() => undefined);
    return taken;
  }

  view(): HistoryView {
    return this.#transcript.view();
  }

  async #take({ toOffset, sizes }: Extent): Promise<void> {
    const end = toOffset ?? this.#source.outputEnd;
    if (this.#at > end) this.#restart();
    this.#at = Math.max(this.#at, Math.min(this.#source.outputStart, end));
    const budget = renderingBudget();
    while (this.#at < end) {
      if (budget.leftMs <= 0) {
        this.#leaveOutTo(end);
        break;
      }
      this.#fit(sizes, budget);
      const resized = sizes.find(({ offset }) => offset > this.#at)?.offset ?? end;
      const next = Math.min(resized, this.#seenTo(end));
      const bytes = this.#source.bytesFrom(this.#at, Math.min(SLICE_BYTES, Math.min(next, end) - this.#at));
      if (bytes.length === 0) break;
      this.#at += await appendPaced(this.#transcript, bytes, budget);
      if (this.#at < end) await nextTurn();
    }
    this.#seenTo(end);
    if (toOffset === null || this.#isFinished) return;
    this.#isFinished = true;
    this.#transcript.finish();
  }

  /** Begins again: part of what was rendered, such as the echo of type-ahead, did not belong to the command. */
  #restart(): void {
    const [begin, shown] = [this.#begin, this.shown];
    this.#transcript.finish();
    this.#transcript = this.#newTranscript();
    this.#at = begin;
    this.#before = shown;
  }

  /**
   * Returns the offset to render up to before the revisions of the earlier rendering can be restored. Restores them
   * once rendering has reached it, and then returns Infinity.
   */
  #seenTo(end: number): number {
    if (this.#before === null) return Infinity;
    const at = Math.min(this.#before.at, end);
    if (this.#at < at) return at;
    this.#transcript.revisions = new RevisionTracker(this.#before.seen);
    this.#before = null;
    return Infinity;
  }

  #leaveOutTo(end: number): void {
    this.#transcript.append(omittedNote(end - this.#at));
    this.#at = end;
    this.#isLeftOut = true;
  }

  /** Sets the screen size that applied where the next output was printed. */
  #fit(sizes: Extent['sizes'], budget: RenderingBudget): void {
    const size = sizes.findLast(({ offset }) => offset <= this.#at);
    const { cols, rows } = this.#transcript.size;
    if (size === undefined || (size.cols === cols && size.rows === rows)) return;
    resizeWithin(budget, this.#transcript, size);
  }
}

/** Maximum number of lines reported from the output between two commands. */
const MAX_BETWEEN_LINES = 20;
const MAX_BETWEEN_BYTES = 64 << 10;

/** Returns the last lines of some ranges of output, as text. */
export async function textOfSpans(
  spans: readonly (readonly [number, number])[],
  source: OutputSource,
): Promise<string> {
  const bytes = lastBytesOf(spans, source);
  // Line editors switch modes at each prompt.
  const isSilent = bytes.length === modesIn(bytes.toString('latin1')).length;
  return isSilent
    ? ''
    : lastLinesOf(plainView('', bytes, source.size.cols) ?? (await emulatedView(bytes, source.size)));
}

/** Reads no more than is shown: the ranges can be as large as everything that is held. */
function lastBytesOf(spans: readonly (readonly [number, number])[], source: OutputSource): Buffer {
  const pieces: Uint8Array[] = [];
  let left = MAX_BETWEEN_BYTES;
  for (const [from, to] of spans.toReversed()) {
    if (left <= 0) break;
    const start = Math.max(from, to - left);
    pieces.unshift(source.bytesFrom(start, to - start));
    left -= to - start;
  }
  return Buffer.concat(pieces);
}

async function emulatedView(bytes: Uint8Array, { cols, rows }: OutputSource['size']): Promise<HistoryView> {
  const limits = { maxLines: MAX_OUTPUT_LINES, maxBytes: MAX_OUTPUT_BYTES };
  const transcript = new Transcript({ id: '', cols, rows, ...limits, now: () => 0, onReply: () => {} });
  const taken = await appendPaced(transcript, bytes, renderingBudget());
  if (taken < bytes.length) transcript.append(omittedNote(bytes.length - taken));
  transcript.finish();
  return transcript.view();
}

function lastLinesOf(view: HistoryView): string {
  const lines = Array.from({ length: view.total - view.oldest }, (_, i) => view.text(view.oldest + i).trimEnd());
  return lines
    .filter((line) => line !== '')
    .slice(-MAX_BETWEEN_LINES)
    .join('\n');
}
