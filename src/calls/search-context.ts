/** Where the lines around what a search has found stand. Pure; it knows no door. */
import type { SearchMatch } from '../contract/search.js';

/** The lines before and after a match, each with its number. */
export function contextOf({ line, before, after }: SearchMatch): [number, string][] {
  return [
    ...before.map((text, i): [number, string] => [line - before.length + i, text]),
    ...after.map((text, i): [number, string] => [line + 1 + i, text]),
  ];
}
