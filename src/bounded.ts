/**
 * How many values a request may be made of, and how deep they may nest: to check each costs time that all callers share. It
 * knows no schema.
 */
import type { InputIssue } from './errors.js';

/** Keys of objects and entries of lists, all of them together; four times as many as a terminal may have arguments. */
export const MAX_VALUES = 20_000;
/** No request of this API nests deeper than three. */
export const MAX_DEPTH = 16;

type Refusal = Pick<InputIssue, 'message' | 'expected'>;

/** What is said of a value that has too many values in it. */
export const TOO_MANY = refusal('has too many keys and entries', `at most ${MAX_VALUES} keys and entries in all`);
export const TOO_DEEP = refusal('is nested too deep', `at most ${MAX_DEPTH} levels`);

/** What is wrong with the size of a value, whatever it is to be; null if nothing is. Only plain objects and lists count. */
export function beyondBounds(value: unknown): Refusal | null {
  let [level, count] = [[value], 0];
  for (let depth = 0; level.length > 0; depth++) {
    const within = level.filter(isCollection);
    if (within.length > 0 && depth === MAX_DEPTH) return TOO_DEEP;
    const next: unknown[] = [];
    for (const each of within) {
      const held = Array.isArray(each) ? (each as unknown[]) : Object.values(each);
      if ((count += held.length) > MAX_VALUES) return TOO_MANY;
      for (const one of held) next.push(one);
    }
    level = next;
  }
  return null;
}

function isCollection(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function refusal(message: string, expected: string): Refusal {
  return { message: `${message}; expected ${expected}`, expected };
}
