/**
 * Reads stdin, from a person or a pipe, as text. A terminal is set to raw mode, so that each key arrives immediately
 * and unchanged, and is restored at the end. Does not interpret the text.
 */
import { spawnSync } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface RawKeyboardEvents {
  readonly onText: (text: string) => void;
  /** No more input will follow: the pipe has ended, or the terminal was hung up. */
  readonly onEnd: () => void;
}

export class RawKeyboard {
  readonly isTerminal = process.stdin.isTTY;
  readonly #decoder = new StringDecoder('utf8');
  #isOpen = false;

  open({ onText, onEnd }: RawKeyboardEvents): void {
    this.#isOpen = true;
    this.#setRaw(true);
    process.once('exit', () => this.close());
    process.stdin.on('data', (bytes: Buffer) => {
      const text = this.#decoder.write(bytes);
      if (this.#isOpen && text !== '') onText(text);
    });
    process.stdin.once('end', () => this.#isOpen && onEnd());
    // Hung up, or not readable at all; treated like end of input.
    process.stdin.once('error', () => this.#isOpen && onEnd());
  }

  /** Stops reading until `resume` is called. */
  pause(): void {
    process.stdin.pause();
  }

  resume(): void {
    if (this.#isOpen) process.stdin.resume();
  }

  /**
   * Call after the process was stopped and continued: the shell has changed the terminal's mode, while Node still
   * assumes that it is raw.
   */
  setRawAgain(): void {
    if (!this.#isOpen) return;
    this.#setRaw(false);
    this.#setRaw(true);
  }

  /** Restores the terminal. Safe to call twice. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#setRaw(false);
    process.stdin.pause();
  }

  #setRaw(isRaw: boolean): void {
    if (!this.isTerminal) return;
    try {
      process.stdin.setRawMode(isRaw);
      if (isRaw) passOutputAsItIs();
    } catch {
      // The terminal was hung up, so there is nothing to restore.
    }
  }
}

/**
 * Turns off output processing. Node's raw mode leaves it on, so that the driver turns each LF into CR LF. The program's
 * own terminal has done that already; a bare LF must move the cursor down one row and do nothing else. Undone when the
 * terminal is restored.
 */
function passOutputAsItIs(): void {
  spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
}
