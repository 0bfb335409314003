/**
 * What somebody types while a line of ours is in the making: kept for a moment, in order. It knows no shell.
 */

/** Nothing of ours takes longer but commands; whoever types into one that runs wants to be heard. */
const MAX_KEPT_MS = 500;
/** Nobody types more in that time; a paste goes its way. */
const MAX_KEPT_BYTES = 64 * 1024;

export class KeptTyping {
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

  /** Calls half a second after the first of these calls, if something is kept and is not taken before. */
  whenDue(call: () => void): void {
    if (this.#bytes === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      call();
    }, MAX_KEPT_MS);
  }

  /** Gives all of it, and keeps it no longer. */
  take(): readonly Uint8Array[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parts = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    return parts;
  }

  /** All of it, in one piece. */
  peek(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
