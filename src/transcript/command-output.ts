/**
 * The output of one command, rendered on its own: as if it had been printed on an empty screen. It follows a command
 * that runs, taking in only what is new. It knows no shell and no terminal but where bytes are to be had.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Seen } from '../history/seen.js';
import type { SeenState } from '../history/seen.js';
import type { HistoryView } from '../history/view.js';
import { modesIn } from './shown.js';
import { leftOutNote } from '../pty/paced-intake.js';
import { appendPaced, renderingBudget } from './paced-rendering.js';
import { MAX_PLAIN_OUTPUT_BYTES, plainView } from './plain-output.js';
import { Transcript } from './transcript.js';

/** Where a command's bytes are to be had. */
export interface OutputSource {
  readonly outputStart: number;
  readonly outputEnd: number;
  readonly size: { readonly cols: number; readonly rows: number };
  bytesFrom(from: number, maxBytes: number): Uint8Array;
}

export interface OutputSpan {
  /** Tells this output from others'. */
  readonly id: string;
  readonly fromOffset: number;
  /** Null while the command runs. */
  readonly toOffset: number | null;
  /** The size of the screen from which offset on, in order; empty where that is not known. */
  readonly sizes: readonly { readonly offset: number; readonly cols: number; readonly rows: number }[];
}

/** How far the output has come. */
type Extent = Pick<OutputSpan, 'toOffset' | 'sizes'>;

/** What readers were shown of an output while it was not final. */
export interface ShownOutput {
  /** Where in the terminal's output rendering began: begun elsewhere, lines have other numbers. */
  readonly begin: number;
  /** How far it was rendered. */
  readonly at: number;
  readonly seen: SeenState;
}

/** What a command has printed, as its readers see it. */
export interface CommandOutput {
  /** Whether something of it is gone, or was passed over because there is so much. */
  readonly isCut: boolean;
  /** Takes in what there is. */
  upTo(extent: Extent): Promise<void>;
  /** Null where it was final before anybody was shown it. */
  readonly shown: ShownOutput | null;
  /** Valid until `upTo` is called again. */
  view(): HistoryView;
}

/** @param shown - What its readers were shown of it when it was rendered before. */
export function commandOutput(span: OutputSpan, source: OutputSource, shown: ShownOutput | null): CommandOutput {
  return (shown === null ? plainOutput(span, source) : null) ?? new FollowedOutput(span, source, shown);
}

/** Null for what still grows, is not plain, is not held as a whole, or had more than one screen. */
function plainOutput({ id, fromOffset, toOffset, sizes }: OutputSpan, source: OutputSource): CommandOutput | null {
  const length = (toOffset ?? Infinity) - fromOffset;
  if (length > MAX_PLAIN_OUTPUT_BYTES || fromOffset < source.outputStart || sizes.length > 1) return null;
  const { cols } = sizes[0] ?? source.size;
  const { buffer, byteOffset, byteLength } = source.bytesFrom(fromOffset, length);
  const view = byteLength < length ? null : plainView(id, Buffer.from(buffer, byteOffset, byteLength), cols);
  return view && { isCut: false, shown: null, upTo: () => Promise.resolve(), view: () => view };
}

/** Of what is longer, the end is kept. */
const MAX_OUTPUT_BYTES = 16 << 20;
const MAX_OUTPUT_LINES = 400_000;
/** Copied at once. */
const SLICE_BYTES = 256 << 10;

class FollowedOutput implements CommandOutput {
  readonly #span: OutputSpan;
  readonly #source: OutputSource;
  readonly #transcript: Transcript;
  #at: number;
  /** What readers were shown of it when it was rendered before, until it has come as far as that. */
  #before: ShownOutput | null;
  #isFinished = false;
  #isLeftOut = false;
  #taking: Promise<void> = Promise.resolve();

  constructor(span: OutputSpan, source: OutputSource, shown: ShownOutput | null) {
    this.#span = span;
    this.#source = source;
    const { cols, rows } = span.sizes[0] ?? source.size;
    const now = (): number => Date.now();
    const limits = { maxLines: MAX_OUTPUT_LINES, maxBytes: MAX_OUTPUT_BYTES };
    const end = span.toOffset ?? source.outputEnd;
    this.#at = Math.max(span.fromOffset, source.outputStart, end - MAX_OUTPUT_BYTES);
    this.#before = shown?.begin === this.#at ? shown : null;
    this.#transcript = new Transcript({ id: span.id, cols, rows, ...limits, now, onReply: () => {} });
  }

  get shown(): ShownOutput | null {
    if (this.#before !== null) return this.#before;
    const { state } = this.#transcript.seen;
    return state.revision === 0 ? null : { begin: this.#begin, at: this.#at, seen: state };
  }

  get isCut(): boolean {
    const { outputStart, oldest } = this.#transcript.view();
    return this.#isLeftOut || outputStart > 0 || oldest > 0 || this.#begin > this.#span.fromOffset;
  }

  /** Where rendering began. */
  get #begin(): number {
    return this.#at - this.#transcript.end;
  }

  upTo(extent: Extent): Promise<void> {
    // One after the other: two readers must not both take in the same bytes.
    this.#taking = this.#taking.then(() => this.#take(extent));
    return this.#taking;
  }

  view(): HistoryView {
    return this.#transcript.view();
  }

  async #take({ toOffset, sizes }: Extent): Promise<void> {
    const end = toOffset ?? this.#source.outputEnd;
    this.#at = Math.max(this.#at, Math.min(this.#source.outputStart, end));
    const budget = renderingBudget();
    while (this.#at < end) {
      if (budget.leftMs <= 0) {
        this.#leaveOutTo(end);
        break;
      }
      this.#fit(sizes);
      const resized = sizes.find(({ offset }) => offset > this.#at)?.offset ?? end;
      const next = Math.min(resized, this.#seenTo());
      const bytes = this.#source.bytesFrom(this.#at, Math.min(SLICE_BYTES, Math.min(next, end) - this.#at));
      if (bytes.length === 0) break;
      this.#at += await appendPaced(this.#transcript, bytes, budget);
      if (this.#at < end) await nextTurn();
    }
    this.#seenTo();
    if (toOffset === null || this.#isFinished) return;
    this.#isFinished = true;
    this.#transcript.finish();
  }

  /** How far to render before readers have seen what they had; they have it once that is there. */
  #seenTo(): number {
    if (this.#before === null) return Infinity;
    if (this.#at < this.#before.at) return this.#before.at;
    this.#transcript.seen = new Seen(this.#before.seen);
    this.#before = null;
    return Infinity;
  }

  #leaveOutTo(end: number): void {
    this.#transcript.append(leftOutNote(end - this.#at));
    this.#at = end;
    this.#isLeftOut = true;
  }

  /** Gives the screen the size that it had where the next output came. */
  #fit(sizes: Extent['sizes']): void {
    const size = sizes.findLast(({ offset }) => offset <= this.#at);
    const { cols, rows } = this.#transcript.size;
    if (size !== undefined && (size.cols !== cols || size.rows !== rows)) this.#transcript.resize(size.cols, size.rows);
  }
}

/** Lines of what was printed between two commands that are told. */
const MAX_BETWEEN_LINES = 20;
const MAX_BETWEEN_BYTES = 64 << 10;

/** Pieces of output as text: the last lines of it. */
export async function textOfSpans(
  spans: readonly (readonly [number, number])[],
  source: OutputSource,
): Promise<string> {
  const pieces = spans.map(([from, to]) => source.bytesFrom(from, to - from));
  const bytes = Buffer.concat(pieces).subarray(-MAX_BETWEEN_BYTES);
  // Line editors switch modes at each prompt.
  const isSilent = bytes.length === modesIn(bytes.toString('latin1')).length;
  return isSilent
    ? ''
    : lastLinesOf(plainView('', bytes, source.size.cols) ?? (await emulatedView(bytes, source.size)));
}

async function emulatedView(bytes: Uint8Array, { cols, rows }: OutputSource['size']): Promise<HistoryView> {
  const limits = { maxLines: MAX_OUTPUT_LINES, maxBytes: MAX_OUTPUT_BYTES };
  const transcript = new Transcript({ id: '', cols, rows, ...limits, now: () => 0, onReply: () => {} });
  const taken = await appendPaced(transcript, bytes, renderingBudget());
  if (taken < bytes.length) transcript.append(leftOutNote(bytes.length - taken));
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
