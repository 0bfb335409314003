/**
 * Computes the emulator's state for consecutive printed characters, which determines whether the next one joins the
 * last.
 */
import { graphemeWidths } from './widths.js';

const JOINS = 1;
const WIDTH_SHIFT = 1;
const WIDTH = 3;
const KIND_SHIFT = 3;
const KIND = 0xf;

/** No character has been printed immediately before. */
export const NOTHING_BEFORE = 0;

/** Returns the state after printing `text`, and the number of columns that the text takes. */
export function printed(text: string, before: number): { after: number; columns: number; joins: boolean } {
  let after = before;
  let columns = 0;
  let joins = false;
  for (const character of text) {
    const width = (after >> WIDTH_SHIFT) & WIDTH;
    const isFirst = columns === 0 && !joins;
    after = graphemeWidths.charProperties(character.codePointAt(0)!, after);
    const isJoined = (after & JOINS) !== 0;
    if (isFirst && isJoined) joins = true;
    columns += ((after >> WIDTH_SHIFT) & WIDTH) - (isJoined ? width : 0);
  }
  return { after, columns, joins };
}

/** Returns whether exactly the same following characters would join in both states. */
export function isSameJoining(one: number, other: number): boolean {
  if (one === NOTHING_BEFORE || other === NOTHING_BEFORE) return one === other;
  const relevant = (KIND << KIND_SHIFT) | (WIDTH << WIDTH_SHIFT);
  return (one & relevant) === (other & relevant);
}
