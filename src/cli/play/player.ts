/** Plays a cast on stdout, at its pace. Can pause, and go to any moment. */
import type { Cast, CastEvent } from '../../recording/read-cast.js';
import { Display } from '../attach/display.js';

/** Output is written in pieces of about this size while skipping. */
const PIECE_CHARS = 256 << 10;
/** The longest wait that a timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class Player {
  readonly #events: readonly CastEvent[];
  readonly #title: string;
  readonly #speed: number;
  readonly #display = new Display();
  /** The next event, and the moment shown. */
  #next = 0;
  #time = 0;
  #isPaused = false;
  #isOver = false;
  #wake: (() => void) | null = null;
  /** When playing from the moment shown began; null while nothing is playing. */
  #playingSince: number | null = null;
  /** Where to go next; null to play on. */
  #target: number | null = null;

  constructor({ events, title }: Cast, speed: number) {
    this.#events = events;
    this.#title = title;
    this.#speed = speed;
  }

  /** Resolves at the end, or after `quit`. */
  async play(from: number): Promise<void> {
    this.#display.open(this.#title.replace(/\p{C}/gu, ' '));
    if (from > 0) this.#target ??= from;
    try {
      while (!this.#isOver) await this.#step();
      await this.#display.finish();
    } finally {
      this.#display.restore();
    }
  }

  pause(isPaused = !this.#isPaused): void {
    this.#isPaused = isPaused;
    this.#wake?.();
  }

  quit(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /** Goes forward, or back, by some milliseconds. */
  skip(ms: number): void {
    this.#goTo(Math.max(0, (this.#target ?? this.#now) + ms));
  }

  /** Goes to the previous or the next marker, or to the beginning or the end if there is none. */
  skipMarker(direction: -1 | 1): void {
    const from = this.#target ?? this.#now;
    const markers = this.#markers();
    if (direction < 0) this.#goTo(markers.findLast((time) => time < from) ?? 0);
    else this.#goTo(markers.find((time) => time > from) ?? this.#events.at(-1)?.time ?? 0);
  }

  /** Goes to the marker with this number, counted from 1. */
  goToMarker(number: number): void {
    this.#goTo(this.#markers()[number - 1] ?? Infinity);
  }

  /** Shows the next output while paused. */
  advance(): void {
    const next = this.#events.find(({ code }, index) => index >= this.#next && code === 'o');
    if (this.#isPaused && next !== undefined) this.#goTo(next.time);
  }

  /** The moment between the last event shown and the next. */
  get #now(): number {
    const played = this.#playingSince === null ? 0 : (performance.now() - this.#playingSince) * this.#speed;
    return Math.min(this.#time + played, this.#events[this.#next]?.time ?? Infinity);
  }

  #markers(): number[] {
    return this.#events.filter(({ code }) => code === 'm').map(({ time }) => time);
  }

  #goTo(time: number): void {
    this.#target = time;
    this.#wake?.();
  }

  async #step(): Promise<void> {
    const target = this.#target;
    this.#target = null;
    if (target !== null) return this.#show(target);
    if (this.#isPaused) return this.#wait(MAX_TIMER_MS);
    const next = this.#events[this.#next];
    if (next === undefined) return this.quit();
    this.#playingSince = performance.now();
    await this.#wait((next.time - this.#time) / this.#speed);
    // A key may have ended the wait.
    const isDue = !this.#isPaused && !this.#isOver && this.#target === null;
    const time = isDue ? next.time : this.#now;
    this.#playingSince = null;
    if (isDue) await this.#show(time);
    else this.#time = time;
  }

  /** Shows the moment `time`: from the beginning if it is earlier than the moment shown. */
  async #show(time: number): Promise<void> {
    if (time < this.#time) {
      this.#next = 0;
      await this.#display.paint('');
    }
    let text = '';
    for (; this.#next < this.#events.length && this.#events[this.#next]!.time <= time; this.#next++) {
      const { code, data } = this.#events[this.#next]!;
      if (code === 'o') text += data;
      if (text.length < PIECE_CHARS) continue;
      await this.#display.show(Buffer.from(text));
      text = '';
    }
    this.#time = Math.min(time, this.#events.at(-1)?.time ?? 0);
    if (text !== '') await this.#display.show(Buffer.from(text));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), Math.min(ms, MAX_TIMER_MS));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
