/**
 * Checks a caller's input against a schema, and the options of a program that uses the library. Reports problems in the
 * terms of the API: field, given value, expected value.
 */
import { z } from 'zod';
import { boundsProblem } from './bounded.js';
import { didYouMean } from './nearest.js';
import { invalidInput, type InputIssue } from './errors.js';

/** Where a value was given: a part of a request, or the arguments of a call (`''`). */
export type InputLocation = 'path' | 'query' | 'body' | '';

/**
 * Maximum number of problems that are reported: enough to correct a request, but few enough to keep the response short
 * even for a body with a thousand invalid fields.
 */
const MAX_ISSUES = 10;

/**
 * Returns the value as parsed by the schema, with defaults filled in.
 *
 * @throws `INVALID_INPUT` naming each field, the given value and the expected value.
 */
export function check<T extends z.ZodType>(place: InputLocation, schema: T, value: unknown): z.output<T> {
  const beyond = boundsProblem(value);
  if (beyond) throw invalidInput({ field: fieldName(place, []), ...beyond });
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(...issuesOf(place, schema, value, result.error.issues));
}

/** Returns the issues. Computes no more than are reported. */
function issuesOf(
  place: InputLocation,
  schema: z.ZodType,
  value: unknown,
  found: readonly z.core.$ZodIssue[],
): InputIssue[] {
  const issues: InputIssue[] = [];
  for (const issue of telling(found.slice(0, 2 * MAX_ISSUES))) {
    if (issues.length >= MAX_ISSUES) break;
    issues.push(...describe(place, issue, value, schema));
  }
  return issues.slice(0, MAX_ISSUES);
}

/**
 * Drops duplicate issues about a field's bounds. Integers have both a bound of the API and JavaScript's safe-integer
 * bound, but one message is enough.
 */
function telling(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const isBound = ({ code }: z.core.$ZodIssue): boolean => code === 'too_big' || code === 'too_small';
  const last = new Map(issues.map((issue) => [`${issue.code} ${issue.path.join('.')}`, issue]));
  return issues.filter((issue) => !isBound(issue) || last.get(`${issue.code} ${issue.path.join('.')}`) === issue);
}

/** The fields of an object (`fields`), and those of its nested objects, written as `terminal.cwd` (`within`). */
interface KnownFields {
  readonly fields: string[];
  readonly within: string[];
}

/** Returns the fields at a path of a schema; none if there is no object at that path. */
function knownAt(schema: z.core.$ZodType, [step, ...rest]: readonly PropertyKey[]): KnownFields {
  const shape = shapeOf(schema);
  if (step !== undefined) return knownAt(Object.hasOwn(shape, step) ? shape[step]! : z.unknown(), rest);
  const fields = Object.keys(shape);
  const within = fields.flatMap((name) => Object.keys(shapeOf(shape[name]!)).map((inner) => `${name}.${inner}`));
  return { fields, within };
}

function shapeOf(schema: z.core.$ZodType): Record<PropertyKey, z.core.$ZodType | undefined> {
  const { innerType } = schema._zod.def as z.core.$ZodTypeDef & { innerType?: z.core.$ZodType };
  if (innerType) return shapeOf(innerType);
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** Returns whether the value at a path may be a password, which errors must not repeat. */
function isSecretAt(schema: z.core.$ZodType | undefined, [step, ...rest]: readonly PropertyKey[]): boolean {
  if (schema === undefined) return false;
  if (z.globalRegistry.get(schema)?.['writeOnly'] === true) return true;
  const shape = shapeOf(schema);
  return step !== undefined && Object.hasOwn(shape, step) && isSecretAt(shape[step], rest);
}

function describe(place: InputLocation, issue: z.core.$ZodIssue, value: unknown, schema: z.ZodType): InputIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownAt(schema, issue.path);
    return issue.keys.slice(0, MAX_ISSUES).map((key) => unknownField(place, [...issue.path, key], known));
  }
  const field = fieldName(place, issue.path);
  const expected = expectation(issue, place);
  if (isSecretAt(schema, issue.path))
    return [{ field, message: issue.code === 'custom' ? issue.message : `expected ${expected}`, expected }];
  const given = issue.code === 'invalid_key' ? issue.path.at(-1) : valueAt(value, issue.path);
  const message = issue.code === 'custom' ? issue.message : `expected ${expected}, given ${describeValue(given)}`;
  return [{ field, message, ...(given === undefined ? {} : { given: brief(given) }), expected }];
}

function unknownField(place: InputLocation, path: readonly PropertyKey[], { fields, within }: KnownFields): InputIssue {
  const name = shorten(String(path.at(-1)));
  const expected = fields.length > 0 ? `one of ${fields.join(', ')}` : `no ${place} parameters`;
  const meant = [OTHER_NAMES[name], ...within.filter((one) => one.endsWith(`.${name}`))];
  const isNear = meant.find((one) => one !== undefined && [...fields, ...within].includes(one));
  const hint = isNear === undefined ? didYouMean(name, fields) : ` Did you mean ${isNear}?`;
  return { field: fieldName(place, path), message: `is unknown; expected ${expected}.${hint}`, expected };
}

/** Names that other APIs use for our fields. */
const OTHER_NAMES: Readonly<Record<string, string | undefined>> = {
  waitMs: 'timeoutMs',
  wait: 'timeoutMs',
  directory: 'cwd',
  dir: 'cwd',
  workdir: 'cwd',
  workingDirectory: 'cwd',
};

function fieldName(place: InputLocation, path: readonly PropertyKey[]): string {
  // A repeatable query parameter is parsed as an array, but the caller did not number its values.
  const named = place === 'query' ? path.filter((step) => typeof step !== 'number') : path;
  const steps = named.map((step) => shorten(String(step)));
  return (place === '' ? steps : [place, ...steps]).join('.') || 'the argument';
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Completes the phrase "expected …". */
function expectation(issue: z.core.$ZodIssue, place: InputLocation): string {
  if (issue.code === 'invalid_type') return typeName(issue.expected, place);
  if (issue.code === 'too_small') return `at least ${issue.minimum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_key') return issue.issues.map((each) => expectation(each, place)).join('; ');
  return issue.message;
}

function typeName(expected: string, place: InputLocation): string {
  if ((place === 'query' || place === 'path') && expected === 'number') return 'a whole number in plain decimal digits';
  return TYPE_NAMES[expected] ?? expected;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    value,
  );
}

function describeValue(given: unknown): string {
  if (given === undefined) return 'nothing';
  // JSON cannot represent NaN and Infinity.
  if (typeof given === 'number') return String(given);
  return typeof given === 'object' ? String(brief(given)) : JSON.stringify(brief(given));
}

/** Shortens a given value so that it can be sent back. */
function brief(given: unknown): unknown {
  if (typeof given === 'string') return shorten(given);
  if (Array.isArray(given)) return `an array of ${given.length}`;
  return typeof given === 'object' && given !== null ? 'an object' : given;
}

const MAX_SHOWN = 80;

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

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
