/** Holds user input back for a short time, in order, while an injected line is being typed. */

/** Typing a line takes less time; if more has passed, a command is running, and its input must reach it. */
const MAX_KEPT_MS = 500;
/** More than a user can type in that time, so it is a paste, which is passed on. */
const MAX_KEPT_BYTES = 64 * 1024;

export class DelayedInput {
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
  }

  get isTooMuch(): boolean {
    return this.#bytes > MAX_KEPT_BYTES;
  }

  /** Calls `call` half a second after the first of these calls, unless the input is taken earlier. */
  whenDue(call: () => void): void {
    if (this.#bytes === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      call();
    }, MAX_KEPT_MS);
  }

  /** Returns all held input and clears it. */
  take(): readonly Uint8Array[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parts = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    return parts;
  }

  /** Returns all held input in one buffer. */
  peek(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
