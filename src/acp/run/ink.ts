/** Highlights displayed text with colours, if enabled. Pure. */

type Pen = (text: string) => string;

export interface Ink {
  readonly hasColour: boolean;
  readonly bold: Pen;
  readonly dim: Pen;
  readonly good: Pen;
  readonly bad: Pen;
  readonly hint: Pen;
}

const RESET = '\x1b[0m';

/** @param hasColour - Whether a person is looking at it and has not disabled colour. */
export function inkOf(hasColour: boolean): Ink {
  const pen =
    (code: number): Pen =>
    (text) =>
      hasColour && text !== '' ? `\x1b[${code}m${text}${RESET}` : text;
  return { hasColour, bold: pen(1), dim: pen(2), good: pen(32), bad: pen(31), hint: pen(36) };
}
