/**
 * Defines the error for a configuration file that is malformed or cannot be changed safely. The error says why and, if
 * known, where.
 */

/** A position, counted from 1. Columns are counted in UTF-16 code units, as editors do. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Thrown before anything is written, so that the file is unchanged. */
export class UneditableConfig extends Error {
  override readonly name = 'UneditableConfig';

  constructor(
    message: string,
    readonly place: TextPosition | null = null,
  ) {
    super(message);
  }
}

export function positionIn(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
