/**
 * Limits the number of values in a request and how deeply they are nested, because checking each value takes time that
 * all callers share.
 */
import type { InputIssue } from './errors.js';

/**
 * Maximum number of object keys and array entries in total: four times the maximum number of arguments of a terminal.
 */
export const MAX_VALUES = 20_000;
/** Maximum nesting depth. Requests of this API are nested at most three levels deep. */
export const MAX_DEPTH = 16;

type Refusal = Pick<InputIssue, 'message' | 'expected'>;

/** The refusal of a value that contains too many values. */
export const TOO_MANY = refusal('has too many keys and entries', `at most ${MAX_VALUES} keys and entries in total`);
export const TOO_DEEP = refusal('is nested too deeply', `at most ${MAX_DEPTH} levels`);

/** Returns why a value exceeds the limits, or null if it does not. Only plain objects and arrays count. */
export function boundsProblem(value: unknown): Refusal | null {
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
