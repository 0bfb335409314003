/**
 * Finds the echo of type-ahead at the end of a command's output. Type-ahead is typed while a command is running and no
 * program is waiting for input. It is meant for the shell, but the terminal echoes it at once, into the output of that
 * command. Pure.
 */

/** More than this is a paste, not type-ahead, and its echo stays in the output. */
const MAX_BYTES = 4096;
/** Anything typed before this much output was echoed long ago. */
const MAX_OUTPUT_BYTES = 16 << 10;

const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;
const DELETE = 0x7f;
/** A control character is echoed as `^` and the character this far above it. */
const CARET = 0x5e;
const CONTROL_OFFSET = 0x40;

interface TypedPiece {
  /** Where the output ended when the piece was typed; its echo follows. */
  readonly offset: number;
  readonly echo: Buffer;
}

export class TypeAheadEcho {
  #pieces: TypedPiece[] = [];
  #bytes = 0;

  /** @param offset - Where the output ends now. */
  add(bytes: Uint8Array, offset: number): void {
    this.#bytes += bytes.length;
    if (this.#bytes <= MAX_BYTES) this.#pieces.push({ offset, echo: echoOf(bytes) });
  }

  /**
   * Call when a program is reading the input: it is then an answer, and its echo counts as part of the command's
   * output.
   */
  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  /**
   * Returns where the output ends if the echo at its end is excluded; `end` itself if there is no echo.
   *
   * @param outputFrom - Returns the output from an offset up to `end`.
   */
  endWithout(end: number, outputFrom: (offset: number) => Buffer): number {
    const recent = this.#pieces.filter(({ offset }) => offset <= end && end - offset <= MAX_OUTPUT_BYTES);
    const [first] = recent;
    if (first === undefined) return end;
    const output = outputFrom(first.offset).subarray(0, end - first.offset);
    const spans = spansOf(recent, output);
    return first.offset + spans.reduceRight((at, [from, to]) => (to === at ? from : at), output.length);
  }
}

/**
 * For each piece, finds the first range of the output that can be its echo. The output begins where the first piece was
 * typed.
 */
function spansOf(pieces: readonly TypedPiece[], output: Buffer): (readonly [number, number])[] {
  const base = pieces[0]!.offset;
  let at = 0;
  return pieces.flatMap(({ offset, echo }) => {
    const from = output.indexOf(echo, Math.max(at, offset - base));
    if (from < 0) return [];
    at = from + echo.length;
    return [[from, at] as const];
  });
}

/** Returns the echo in canonical mode with `stty echo echoctl icrnl onlcr`, which is how programs are started. */
function echoOf(bytes: Uint8Array): Buffer {
  return Buffer.from(
    Array.from(bytes).flatMap((byte) => {
      if (byte === CR || byte === LF) return [CR, LF];
      if (byte === DELETE || (byte < SPACE && byte !== TAB)) return [CARET, byte ^ CONTROL_OFFSET];
      return [byte];
    }),
  );
}
