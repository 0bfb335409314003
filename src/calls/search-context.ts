/** Computes the line numbers of the context lines in a search result. Pure, and independent of the API layer. */
import type { SearchMatch } from '../contract/search.js';

/** Returns the lines before and after a match, each with its number. */
export function contextOf({ line, before, after }: SearchMatch): [number, string][] {
  return [
    ...before.map((text, i): [number, string] => [line - before.length + i, text]),
    ...after.map((text, i): [number, string] => [line + 1 + i, text]),
  ];
}
