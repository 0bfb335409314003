/** Tables of fields that describe each field once and link to that description elsewhere. Pure. */
import { codes, paragraphs, table } from './markdown.js';
import { cellsOf, type FieldRow } from './reference.js';

/** Fewer fields than this are described again instead of linked. */
const FEWEST_LINKED = 2;

export class FieldTables {
  /** Where each field is described, keyed by its complete description. */
  readonly #places = new Map<string, string>();

  /**
   * Returns the fields of a place, given as a link to it: a table of those described here for the first time, and links
   * to the others.
   */
  at(place: string, heading: string, rows: readonly FieldRow[]): string {
    const elsewhere = this.#elsewhere(heading, rows);
    const linked = new Set([...elsewhere.values()].flat());
    const own = rows.filter((row) => !linked.has(row));
    for (const row of own) this.#places.set(keyOf(heading, row), place);
    const verb = heading === 'Data' ? 'contains' : 'accepts';
    const lead = own.length > 0 ? `Also ${verb}` : `${heading}:`;
    const links = [...elsewhere].map(([link, there]) => `${lead} ${codes(outermost(there))} (see ${link}).`);
    return paragraphs([own.length > 0 ? table(cellsOf(heading, own)) : '', ...links]);
  }

  /** Returns the fields that are already described, by place. */
  #elsewhere(heading: string, rows: readonly FieldRow[]): Map<string, FieldRow[]> {
    const found = new Map<string, FieldRow[]>();
    for (const row of rows) {
      const place = this.#places.get(keyOf(heading, row));
      if (place !== undefined) found.set(place, [...(found.get(place) ?? []), row]);
    }
    return new Map([...found].filter(([, there]) => there.length >= FEWEST_LINKED));
  }
}

/** Two fields of requests, or of responses, are the same if their descriptions are identical. */
function keyOf(heading: string, { name, type, fallback, description }: FieldRow): string {
  return JSON.stringify([heading === 'Data', name, type, fallback, description]);
}

/** Returns the names without those of nested fields whose parent is also listed. */
function outermost(rows: readonly FieldRow[]): string[] {
  const names = rows.map(({ name }) => name);
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`) || name.startsWith(`${other}[].`)));
}
