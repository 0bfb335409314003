/** Tables of fields that say of each field what it is once: where the same is to be said again they link there. Pure. */
import { codes, paragraphs, table } from './markdown.js';
import { cellsOf, type FieldRow } from './reference.js';

/** Fewer fields than these are described again, rather than by a link. */
const FEWEST_LINKED = 2;

export class FieldTables {
  /** Where each field is described, by all that is said of it. */
  readonly #places = new Map<string, string>();

  /** The fields of a place, given as a link to it: those first described here, and where the others are. */
  at(place: string, heading: string, rows: readonly FieldRow[]): string {
    const elsewhere = this.#elsewhere(heading, rows);
    const linked = new Set([...elsewhere.values()].flat());
    const own = rows.filter((row) => !linked.has(row));
    for (const row of own) this.#places.set(keyOf(heading, row), place);
    const lead = own.length > 0 ? 'Also' : `${heading}:`;
    const links = [...elsewhere].map(([link, there]) => `${lead} ${codes(outermost(there))}, as in ${link}.`);
    return paragraphs([own.length > 0 ? table(cellsOf(heading, own)) : '', ...links]);
  }

  /** Those that are described already, by where. */
  #elsewhere(heading: string, rows: readonly FieldRow[]): Map<string, FieldRow[]> {
    const found = new Map<string, FieldRow[]>();
    for (const row of rows) {
      const place = this.#places.get(keyOf(heading, row));
      if (place !== undefined) found.set(place, [...(found.get(place) ?? []), row]);
    }
    return new Map([...found].filter(([, there]) => there.length >= FEWEST_LINKED));
  }
}

/** Two fields of requests, or of answers, of which all the same is said are one. */
function keyOf(heading: string, { name, type, fallback, description }: FieldRow): string {
  return JSON.stringify([heading === 'Data', name, type, fallback, description]);
}

/** Names without those of fields within fields that are named themselves. */
function outermost(rows: readonly FieldRow[]): string[] {
  const names = rows.map(({ name }) => name);
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`) || name.startsWith(`${other}[].`)));
}
