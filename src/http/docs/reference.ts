/**
 * What there is to say about a route, as rows and lines for any page to lay out. Pure; it knows
 * neither HTML nor Markdown.
 */
import { inlineSchema, type JsonSchema } from './json-schema.js';
import { JSON_TYPE } from '../body.js';
import type { Route } from '../route.js';

/** One field of a request or an answer; nested ones with dots in their names. */
export interface FieldRow {
  readonly name: string;
  readonly type: string;
  /** `required`, a default, or nothing. */
  readonly fallback: string;
  readonly description: string;
}

const DEFAULT_COLUMN = 2;

/** A table of fields as cells, the headings first; the column of defaults only where there are any. */
export function cellsOf(heading: string, rows: readonly FieldRow[]): string[][] {
  const all = [
    [heading, 'Type', 'Default', ''],
    ...rows.map(({ name, type, fallback, description }) => [`\`${name}\``, type, code(fallback), description]),
  ];
  return rows.some(({ fallback }) => fallback !== '')
    ? all
    : all.map((cells) => cells.filter((_cell, column) => column !== DEFAULT_COLUMN));
}

function code(text: string): string {
  return text && `\`${text}\``;
}

export function queryRows({ query }: Route, nameOf?: NameOf): FieldRow[] {
  return rowsOf(inlineSchema(query, 'input'), nameOf);
}

export function bodyRows({ body }: Route, nameOf?: NameOf): FieldRow[] {
  return body ? rowsOf(inlineSchema(body, 'input'), nameOf) : [];
}

/** The schema of an answer's data; none where the answer is a sentence or a text. */
export function dataSchema({ answer }: Route): JsonSchema | undefined {
  return inlineSchema(answer, 'output').properties?.['data'] as JsonSchema | undefined;
}

export function answerRows(route: Route, nameOf?: NameOf): FieldRow[] {
  const data = dataSchema(route);
  return data === undefined ? [] : withoutFallbacks(rowsOf(data, nameOf));
}

/** What an answer always has needs no word for it. */
export function withoutFallbacks(rows: readonly FieldRow[]): FieldRow[] {
  return rows.map((row) => ({ ...row, fallback: '' }));
}

/** The name of an object whose fields stand in a place of their own, or nothing. */
export type NameOf = (schema: JsonSchema) => string | undefined;

/** The fields of a schema, each followed by those within it. */
export function rowsOf(schema: JsonSchema, nameOf: NameOf = () => undefined, prefix = ''): FieldRow[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = property as JsonSchema;
    const row = {
      name: prefix + name,
      type: typeOf(field, nameOf),
      fallback: fallbackOf(field, required.includes(name)),
      description: field.description ?? '',
    };
    const within = partsOf(field).filter(([part]) => nameOf(part) === undefined);
    return [row, ...within.flatMap(([part, suffix]) => rowsOf(part, nameOf, row.name + suffix))];
  });
}

/** What a field is or has, and what the names of fields within begin with after its own. */
export function partsOf(field: JsonSchema): [part: JsonSchema, suffix: string][] {
  if (field.items !== undefined) return [[field.items as JsonSchema, '[].']];
  return (field.anyOf ?? [field]).map((part) => [part, '.']);
}

function typeOf(schema: JsonSchema, nameOf: NameOf): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, nameOf)).join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items as JsonSchema, nameOf)}[]`;
  return `${[schema.type].flat().join(' | ')}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum}–${maximum}`;
  return minimum === undefined ? '' : ` ≥ ${minimum}`;
}

function fallbackOf(schema: JsonSchema, isRequired: boolean): string {
  if (schema.default !== undefined) return JSON.stringify(schema.default);
  return isRequired ? 'required' : '';
}

/** The events of a route's stream; none where it has none. */
export function eventRows({ stream }: Route): [event: string, fields: string, meaning: string][] {
  return Object.entries(stream?.events ?? {}).map(([name, { data, meaning }]) => {
    const { properties = {}, description } = inlineSchema(data, 'output');
    const fields = Object.keys(properties).map((field) => `\`${field}\``);
    return [`\`${name}\``, description ?? fields.join(', '), meaning];
  });
}

/** What the stream of a route looks like. */
export function streamText({ stream }: Route): string {
  return Object.entries(stream?.events ?? {})
    .map(([name, { example }]) => `event: ${name}\ndata: ${JSON.stringify(example)}\n\n`)
    .join('');
}

/** A curl command for the route's example, with `$ID` for the id of a terminal and `$N` for the number of a command. */
export function curlOf({ method, path, example }: Route, url: string): string {
  const query = Object.entries(example.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const place = path.replace(':terminalId', '$ID').replace(':commandId', '$N');
  const target = `${url}${place}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `;
  const quoted = target.includes('?') || target.includes('$') ? `"${target}"` : target;
  if (!example.body) return `curl ${verb}${quoted}`;
  const body = JSON.stringify(example.body);
  return [`curl ${verb}${quoted} \\`, `  -H "Content-Type: ${JSON_TYPE}" \\`, `  -d '${body}'`].join('\n');
}

/** The example answer as text. */
export function answerText({ example: { answer } }: Route): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
}
