/**
 * Splits a line into runs of text with CSS classes, according to its colour codes. Drops all other control sequences.
 * Pure.
 */

export interface Run {
  readonly text: string;
  readonly classes: string;
  /** A colour other than the theme's sixteen, or an empty string. */
  readonly colour: string;
}

interface Pen {
  readonly bold: boolean;
  readonly underlined: boolean;
  readonly inverse: boolean;
  readonly front: string;
  readonly back: string;
  readonly colour: string;
}

const PLAIN: Pen = { bold: false, underlined: false, inverse: false, front: '', back: '', colour: '' };
/** Letters for the eight colours. Dark grey replaces black, which would be unreadable. */
const NAMES = ['k', 'r', 'g', 'y', 'b', 'm', 'c', 'w'];
const ESCAPE = /\x1b\[([0-9;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b[^[\]]/g;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const MAX_CHARS = 20_000;

export function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  const text = line.slice(0, MAX_CHARS);
  let pen = PLAIN;
  let end = 0;
  for (const found of text.matchAll(ESCAPE)) {
    addRun(runs, text.slice(end, found.index), pen);
    end = found.index + found[0].length;
    if (found[1] !== undefined) pen = penAfter(pen, found[1]);
  }
  addRun(runs, text.slice(end), pen);
  return runs;
}

/** Returns the text without its colour codes. */
export function textOf(line: string): string {
  return runsOf(line)
    .map(({ text }) => text)
    .join('');
}

function addRun(runs: Run[], raw: string, pen: Pen): void {
  const text = raw.replace(CONTROL, '');
  if (text !== '') runs.push({ text, classes: classesOf(pen), colour: pen.colour });
}

function classesOf({ bold, underlined, inverse, front, back }: Pen): string {
  const on = back === '' ? '' : `on-${back}`;
  return [front, on, bold ? 'B' : '', underlined ? 'u' : '', inverse ? 'inv' : ''].filter(Boolean).join(' ');
}

function penAfter(pen: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map(Number);
  let after = pen;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    if (code === 38 || code === 48) {
      const [colour, length] = wideColour(codes.slice(index + 1));
      if (code === 38) after = { ...after, front: '', colour };
      index += length;
    } else after = penAfterCode(after, code);
  }
  return after;
}

function penAfterCode(pen: Pen, code: number): Pen {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...pen, bold: true };
  if (code === 4) return { ...pen, underlined: true };
  if (code === 7) return { ...pen, inverse: true };
  if (code === 22) return { ...pen, bold: false };
  if (code === 24) return { ...pen, underlined: false };
  if (code === 27) return { ...pen, inverse: false };
  if (code === 39) return { ...pen, front: '', colour: '' };
  if (code === 49) return { ...pen, back: '' };
  const name = NAMES[code % 10] ?? '';
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...pen, front: name, colour: '' };
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...pen, back: name };
  return pen;
}

/** Returns the colour that `5;N` or `2;R;G;B` specifies, and the number of codes it uses. */
function wideColour([kind, first = 0, green = 0, blue = 0]: readonly number[]): [string, number] {
  if (kind === 2) return [rgb(first, green, blue), 4];
  if (kind === 5) return [indexed(first), 2];
  return ['', 0];
}

const rgb = (...parts: number[]): string => `rgb(${parts.map((part) => Math.min(255, part | 0)).join(' ')})`;

function indexed(index: number): string {
  if (index < 16) return '';
  if (index >= 232) return rgb(...Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
  const place = index - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return rgb(level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6));
}
