/** Controls the flow of a stream: limits the amount that has been sent but not yet consumed. */

export class FlowWindow {
  readonly #size: number;
  #inFlight = 0;
  #isClosed = false;
  #wake: (() => void) | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  onSent(bytes: number): void {
    this.#inFlight += bytes;
  }

  onTaken(bytes: number): void {
    this.#inFlight = Math.max(0, this.#inFlight - bytes);
    this.#wakeIfOpen();
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeIfOpen();
  }

  /** Resolves when more can be sent, or when the window is closed. Only one caller may wait at a time. */
  async untilOpen(): Promise<void> {
    if (!this.#isOpen) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  get #isOpen(): boolean {
    return this.#isClosed || this.#inFlight < this.#size;
  }

  #wakeIfOpen(): void {
    if (!this.#isOpen) return;
    this.#wake?.();
    this.#wake = null;
  }
}
