/** Fits the text of the emulator to the space that the page has for it. */
import type { Terminal } from '@xterm/xterm';
import { fontSizeFor, fontSizeForHeight, screenFor } from './font-size.js';
import { cellSize } from './viewport.js';
import { keepScrollPosition } from './xterm-internals.js';

export interface Fitting {
  /** Makes the text as large as possible while the screen still fits the available space. */
  fitText(): void;
  /** Returns the size of the screen that would fill the available space. */
  screen(): { cols: number; rows: number };
  /** Returns the size of the text, and the space between its characters, both in pixels. */
  font(): { readonly fontSize: number; readonly spacing: number };
}

/** Returns the space inside the padding. */
export function roomIn(frame: HTMLElement): { width: number; height: number } {
  const { paddingTop, paddingBottom, paddingLeft, paddingRight } = getComputedStyle(frame);
  const sum = (...sizes: string[]): number => sizes.reduce((total, each) => total + (parseFloat(each) || 0), 0);
  return {
    width: frame.clientWidth - sum(paddingLeft, paddingRight),
    height: frame.clientHeight - sum(paddingTop, paddingBottom),
  };
}

/** @param ratio - Width of a character relative to the text size. */
export function fitting(terminal: Terminal, frame: HTMLElement, ratio: number): Fitting {
  const space = (): { width: number; height: number } => {
    const gutter = terminal.element ? parseFloat(getComputedStyle(terminal.element).paddingLeft) || 0 : 0;
    const { width, height } = roomIn(frame);
    return { width: width - gutter, height };
  };
  return {
    font() {
      const fontSize = terminal.options.fontSize!;
      return { fontSize, spacing: cellSize(terminal).width - fontSize * ratio };
    },
    fitText() {
      const { width, height } = space();
      const size = fontSizeFor(width, terminal.cols, ratio);
      terminal.options.fontSize = size;
      const cell = cellSize(terminal);
      if (cell.height * terminal.rows > height && height > 0)
        terminal.options.fontSize = fontSizeForHeight(height, terminal.rows, size, cell.height);
      keepScrollPosition(terminal);
      // If even the smallest text does not fit, the end of the screen is what matters.
      frame.scrollTop = frame.scrollHeight;
    },
    screen() {
      const { width, height } = space();
      const cell = cellSize(terminal);
      return screenFor(width, height, cell.width, cell.height);
    },
  };
}
