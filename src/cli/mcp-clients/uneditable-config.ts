/**
 * The error for a configuration file that cannot be read or cannot be changed safely. It says why and, if known, where.
 */

/** From 1; columns in UTF-16 code units, as editors count. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Thrown before anything is written. */
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
