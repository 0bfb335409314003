/**
 * Checks the options that a program passes to a manager: their names, and their types by the defaults. Knows no
 * option.
 */
import { invalidInput, type InputIssue } from '../errors.js';
import { didYouMean } from '../nearest.js';

/**
 * Returns the options without those that are undefined, so that defaults apply to them.
 *
 * @param known - Each option with its default, or with any value of its type. Null: a string or null. Undefined: any
 * value.
 * @param within - Precedes the names in messages, such as `engine.`.
 * @throws `INVALID_INPUT` naming each unknown option and each of the wrong type.
 */
export function checkedOptions<Given extends object>(given: Given, known: object, within = ''): Given {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined) as [string, unknown][];
  const issues = entries.flatMap(([name, value]) => issueOf(name, value, known, within));
  if (issues.length > 0) throw invalidInput(...issues);
  return Object.fromEntries(entries) as Given;
}

function issueOf(name: string, value: unknown, known: object, within: string): InputIssue[] {
  const [field, names] = [within + name, Object.keys(known)];
  if (!names.includes(name)) {
    const message = `unknown option.${didYouMean(name, names)}`;
    return [{ field, message, expected: `one of ${names.join(', ')}` }];
  }
  const expected = expectedFor((known as Record<string, unknown>)[name]);
  if (expected === undefined || expected.accepts(value)) return [];
  return [{ field, message: `expected ${expected.what}, given ${shown(value)}`, expected: expected.what }];
}

interface Expected {
  readonly what: string;
  readonly accepts: (value: unknown) => boolean;
}

function expectedFor(example: unknown): Expected | undefined {
  if (example === undefined) return undefined;
  if (example === null)
    return { what: 'a string or null', accepts: (value) => value === null || isOf('string', value) };
  if (typeof example === 'number') return { what: 'a number of at least 0', accepts: isCount };
  if (Array.isArray(example)) return { what: 'an array', accepts: Array.isArray };
  const what = typeof example === 'object' ? 'an object' : `a ${typeof example}`;
  return { what, accepts: (value) => value !== null && !Array.isArray(value) && isOf(typeof example, value) };
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function isOf(type: string, value: unknown): boolean {
  return typeof value === type;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}
