/** Flow control of a stream: bounds the amount sent but not yet consumed. Does not depend on sockets. */

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

  /** Resolves when more can be sent, or when the window is closed. Only one caller may wait at a time. */
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
