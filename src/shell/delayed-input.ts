/** Keeps user input in order for a short time, while an injected line is being typed. */

/** Only commands take longer; input for a running command must reach it. */
const MAX_KEPT_MS = 500;
/** More than a user types in that time; a paste is passed on. */
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

  /** Returns all of it and clears it. */
  take(): readonly Uint8Array[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parts = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    return parts;
  }

  /** Returns all of it in one buffer. */
  peek(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
