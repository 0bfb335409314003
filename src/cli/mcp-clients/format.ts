/** What the formats of configuration files have in common, whatever they look like. Pure: text in, text out. */

/** A server's entry: how a client starts it, and what else the client lets say of it. */
export type Entry = Readonly<Record<string, EntryValue>>;
export type EntryValue = string | number | readonly string[];

/** Where an entry stands: `mcpServers` and `tenacitty`. */
export interface EntryPlace {
  readonly container: string;
  readonly name: string;
}

/** A kind of file that holds entries. Whatever is not the entry stays as it is, byte for byte. */
export interface Format {
  /**
   * What is known of the entry there, or undefined if there is none. Values that are none of an entry's are left out.
   *
   * @throws {Unclear} where the text is broken, or says such a thing in a way that is not changed for certain.
   */
  read(text: string, place: EntryPlace): Entry | undefined;
  /** The text with the entry: added, or its values set where it is there; what else it has stays. @throws {Unclear} */
  put(text: string, place: EntryPlace, entry: Entry): string;
  /** The text without the entry. @throws {Unclear} */
  remove(text: string, place: EntryPlace): string;
}

/** The line end a text has; its first one counts. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** A piece of text that is exchanged. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly with: string;
}

/** The text with all edits done; they may not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const fromTheEnd = [...edits].sort((a, b) => b.start - a.start);
  return fromTheEnd.reduce((done, edit) => done.slice(0, edit.start) + edit.with + done.slice(edit.end), text);
}
