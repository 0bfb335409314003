/**
 * What a person or a pipe gives on stdin, as text. A terminal is set to raw, so that each key comes at once and as
 * it is, and set back at the end. It knows nothing of what becomes of the text.
 */
import { spawnSync } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface KeyboardEvents {
  readonly onText: (text: string) => void;
  /** Nothing will follow: the pipe has ended, or the terminal was hung up. */
  readonly onEnd: () => void;
}

export class Keyboard {
  readonly isTerminal = process.stdin.isTTY;
  readonly #decoder = new StringDecoder('utf8');
  #isOpen = false;

  open({ onText, onEnd }: KeyboardEvents): void {
    this.#isOpen = true;
    this.#setRaw(true);
    process.once('exit', () => this.close());
    process.stdin.on('data', (bytes: Buffer) => {
      const text = this.#decoder.write(bytes);
      if (this.#isOpen && text !== '') onText(text);
    });
    process.stdin.once('end', () => this.#isOpen && onEnd());
    // Hung up, or not readable at all: the same as its end.
    process.stdin.once('error', () => this.#isOpen && onEnd());
  }

  /** No more is read until `resume`. */
  pause(): void {
    process.stdin.pause();
  }

  resume(): void {
    if (this.#isOpen) process.stdin.resume();
  }

  /** For after a stop: the shell has set the terminal to what it likes. Node would take it for raw still. */
  setRawAgain(): void {
    if (!this.#isOpen) return;
    this.#setRaw(false);
    this.#setRaw(true);
  }

  /** Sets the terminal back. Safe to call twice. */
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
      // The terminal was hung up: there is nothing to set.
    }
  }
}

/**
 * Node's raw mode leaves it to the driver to make CR LF of each LF. What comes from the program's own terminal is so
 * already; a bare LF means one row down, and nothing more. Undone when the terminal is set back.
 */
function passOutputAsItIs(): void {
  spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
}
