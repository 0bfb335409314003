/**
 * Reads stdin, a terminal or a pipe, as text. Sets a terminal to raw mode, so that each key arrives immediately and
 * unchanged, and restores it at the end. Does not interpret the text.
 */
import { spawnSync } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface RawKeyboardEvents {
  readonly onText: (text: string) => void;
  /** Called when no more input will follow, because the pipe has ended or the terminal was hung up. */
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
    // The terminal was hung up or is not readable at all. Both count as the end of input.
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
   * Call this after the process was stopped and continued: the shell has changed the terminal's mode, but Node still
   * assumes that the mode is raw.
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
 * Turns off output processing, until the terminal is restored. Node's raw mode leaves it on, so the driver would turn
 * each LF into CR LF. The program's own terminal has already done that, so a bare LF must only move the cursor down one
 * row.
 */
function passOutputAsItIs(): void {
  spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
}
