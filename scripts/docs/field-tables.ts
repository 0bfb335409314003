/** Generates tables of fields. Describes each field once and links to that description everywhere else. Pure. */
import { cellsOf, type FieldRow } from '../../src/http/docs/reference.js';
import { codes, paragraphs, table } from './markdown.js';

/** If fewer fields than this are described elsewhere, they are described again instead of linked. */
const FEWEST_LINKED = 2;

export class FieldTables {
  /** Links to the places that describe each field, keyed by the complete description. */
  readonly #places = new Map<string, string>();

  /**
   * Returns the fields of a place, which is given as a link to it: a table of those that are described here for the
   * first time, and links to the descriptions of the others.
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

  /** Returns the fields that are already described, grouped by place. */
  #elsewhere(heading: string, rows: readonly FieldRow[]): Map<string, FieldRow[]> {
    const found = new Map<string, FieldRow[]>();
    for (const row of rows) {
      const place = this.#places.get(keyOf(heading, row));
      if (place !== undefined) found.set(place, [...(found.get(place) ?? []), row]);
    }
    return new Map([...found].filter(([, there]) => there.length >= FEWEST_LINKED));
  }
}

/**
 * Returns the key of a field. Two fields of requests, or of responses, are the same if their descriptions are
 * identical.
 */
function keyOf(heading: string, { name, type, fallback, description }: FieldRow): string {
  return JSON.stringify([heading === 'Data', name, type, fallback, description]);
}

/** Returns the names, without nested fields whose parent is also listed. */
function outermost(rows: readonly FieldRow[]): string[] {
  const names = rows.map(({ name }) => name);
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`) || name.startsWith(`${other}[].`)));
}
