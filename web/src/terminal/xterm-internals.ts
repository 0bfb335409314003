/** Uses parts of xterm.js 6.0.0 that are not public. No other file does. */
import type { Terminal } from '@xterm/xterm';

interface Internals {
  readonly _core: {
    scroll(attributes: unknown): void;
    readonly _bufferService: { readonly buffer: { readonly scrollTop: number; readonly scrollBottom: number } };
    readonly _viewport?: { _sync(): void; scrollToLine(line: number, isAtOnce: boolean): void };
  };
}

type Scrolled = Pick<Terminal, 'buffer' | 'rows'>;

const coreOf = (terminal: Scrolled): Internals['_core'] => (terminal as unknown as Internals)._core;

/** Call after the text size has changed: the scroll position is kept in pixels of the old one. */
export function keepScrollPosition(terminal: Terminal): void {
  const viewport = coreOf(terminal)._viewport;
  viewport?._sync();
  viewport?.scrollToLine(terminal.buffer.active.viewportY, true);
}

/** Moves this many rows of the normal screen into the history, unless the program scrolls only a part of the screen. */
export function scrollOff(terminal: Scrolled, count: number): void {
  const core = coreOf(terminal);
  const { scrollTop, scrollBottom } = core._bufferService.buffer;
  if (scrollTop !== 0 || scrollBottom !== terminal.rows - 1) return;
  for (let row = 0; row < count; row++) core.scroll(terminal.buffer.active.getNullCell());
}
