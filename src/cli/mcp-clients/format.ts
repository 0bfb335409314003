/** What the formats of configuration files have in common. Pure: text in, text out. */

/** A server's entry: how a client starts it, and further options of the client. */
export type Entry = Readonly<Record<string, EntryValue>>;
export type EntryValue = string | number | readonly string[];

/** Where an entry is: `mcpServers` and `tenacitty`. */
export interface EntryPlace {
  readonly container: string;
  readonly name: string;
}

/** A format of files that hold entries. Everything outside the entry is preserved byte for byte. */
export interface Format {
  /**
   * Returns the known values of the entry, or undefined if there is none. Other values are left out.
   *
   * @throws {Unclear} if the text is broken, or written in a way that cannot be changed safely.
   */
  read(text: string, place: EntryPlace): Entry | undefined;
  /**
   * Returns the text with the entry added, or with its values set if it exists; its other values are kept.
   *
   * @throws {Unclear}
   */
  put(text: string, place: EntryPlace, entry: Entry): string;
  /**
   * Returns the text without the entry.
   *
   * @throws {Unclear}
   */
  remove(text: string, place: EntryPlace): string;
}

/** Returns the text's first line end. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The replacement of a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly with: string;
}

/** Returns the text with all edits applied. They must not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const fromTheEnd = [...edits].sort((a, b) => b.start - a.start);
  return fromTheEnd.reduce((done, edit) => done.slice(0, edit.start) + edit.with + done.slice(edit.end), text);
}
