/**
 * Reads a query string as strictly as a JSON body: each parameter may appear once, unless the schema declares it as a
 * list. Numbers in the query and the path must be plain decimal integers.
 */
import type { z } from 'zod';
import { invalidInput } from '../errors.js';
import type { Fields } from './route.js';

/**
 * Returns the parameters of a query string, converted to the types of the schema's fields. Does not apply the schema
 * itself.
 *
 * @throws `INVALID_INPUT` for a duplicate parameter, one without a value, or one with invalid percent-encoding.
 */
export function readQuery(query: string, schema: Fields): Record<string, unknown> {
  const values = new Map<string, unknown>();
  const isList = (name: string) => innermost(fieldOf(schema, name)) === 'array';
  for (const part of query.split('&').filter(Boolean)) {
    const [name, text] = split(part);
    const field = `query.${name}`;
    if (values.has(name) && !isList(name))
      throw invalidInput({ field, message: 'is given more than once', expected: 'one value' });
    if (text === '') throw invalidInput({ field, message: 'has no value', given: '', expected: 'a value' });
    const before = values.get(name) as readonly unknown[] | undefined;
    values.set(name, isList(name) ? [...(before ?? []), text] : typed(text, fieldOf(schema, name)));
  }
  return Object.fromEntries(values);
}

/** Returns the parameters of a path, converted to the types of the schema's fields. */
export function readPathParams(params: Readonly<Record<string, string>>, schema: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, typed(text, fieldOf(schema, name))]));
}

function split(part: string): [name: string, text: string] {
  const equals = part.indexOf('=');
  return equals === -1 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw invalidInput({ field: 'query', message: 'is not correctly percent-encoded', expected: '%XX in UTF-8' });
  }
}

/** At most fifteen digits, so that the number is always exact. */
const INTEGER = /^-?\d{1,15}$/;

function typed(text: string, field: z.core.$ZodType | undefined): unknown {
  const kind = innermost(field);
  if (kind === 'number' && INTEGER.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function fieldOf({ shape }: Fields, name: string): z.core.$ZodType | undefined {
  return Object.hasOwn(shape, name) ? (shape[name] as z.core.$ZodType) : undefined;
}

/** Returns the name of the type inside `optional` and `default`. */
function innermost(field: z.core.$ZodType | undefined): string {
  if (field === undefined) return 'unknown';
  const { type, innerType } = field._zod.def as z.core.$ZodTypeDef & { innerType?: z.core.$ZodType };
  return innerType ? innermost(innerType) : type;
}
