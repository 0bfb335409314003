/** How much of a stream may be under way: what was sent and not yet taken is bounded. It knows no socket. */

export class Window {
  readonly #size: number;
  #underWay = 0;
  #isClosed = false;
  #wake: (() => void) | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  sent(bytes: number): void {
    this.#underWay += bytes;
  }

  taken(bytes: number): void {
    this.#underWay = Math.max(0, this.#underWay - bytes);
    this.#wakeIfOpen();
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeIfOpen();
  }

  /** Resolves when more may be sent, or the window is closed. One may wait at a time. */
  async room(): Promise<void> {
    if (!this.#isOpen) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  get #isOpen(): boolean {
    return this.#isClosed || this.#underWay < this.#size;
  }

  #wakeIfOpen(): void {
    if (!this.#isOpen) return;
    this.#wake?.();
    this.#wake = null;
  }
}
