/**
 * What an agent writes to stdout, on its way to the protocol: lines that are none of it are taken out and told of, and
 * no more is let through than is shown. It knows no message.
 */

/** Of a line that is none of the protocol so much is told. */
const MAX_TOLD_BYTES = 300;
const LF = 0x0a;
const BRACE = 0x7b;
const BLANKS = [0x20, 0x09, 0x0d];

export interface PacedLinesOptions {
  /** A line that is no message. */
  readonly onStray: (line: string) => void;
  /** Resolves when more may come. */
  readonly ready: () => Promise<void>;
}

export function pacedLines({ onStray, ready }: PacedLinesOptions): TransformStream<Uint8Array, Uint8Array> {
  const lines = new StrayLines(onStray);
  return new TransformStream({
    async transform(bytes, controller) {
      for (const piece of lines.without(bytes)) controller.enqueue(piece);
      await ready();
    },
    flush: () => lines.end(),
  });
}

/** Messages begin with `{`; a line that does not is no message, whatever it is. */
class StrayLines {
  readonly #onStray: (line: string) => void;
  /** What the line that is under way is, if its first character has come. */
  #kind: 'message' | 'stray' | null = null;
  #stray = Buffer.alloc(0);

  constructor(onStray: (line: string) => void) {
    this.#onStray = onStray;
  }

  *without(bytes: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length;) {
      const lineEnd = bytes.indexOf(LF, at);
      const end = lineEnd < 0 ? bytes.length : lineEnd + 1;
      const part = bytes.subarray(at, end);
      this.#kind ??= kindOf(part);
      if (this.#kind === 'message') yield part;
      else if (this.#kind === 'stray') this.#keep(part);
      if (lineEnd >= 0) this.end();
      at = end;
    }
  }

  end(): void {
    if (this.#kind === 'stray') this.#onStray(this.#stray.toString().trimEnd());
    this.#kind = null;
    this.#stray = Buffer.alloc(0);
  }

  #keep(part: Uint8Array): void {
    const room = MAX_TOLD_BYTES - this.#stray.length;
    if (room > 0) this.#stray = Buffer.concat([this.#stray, part.subarray(0, room)]);
  }
}

function kindOf(part: Uint8Array): 'message' | 'stray' | null {
  const first = part.find((byte) => !BLANKS.includes(byte));
  if (first === undefined || first === LF) return null;
  return first === BRACE ? 'message' : 'stray';
}
