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

export function queryRows({ query }: Route): FieldRow[] {
  return rowsOf(inlineSchema(query, 'input'));
}

export function bodyRows({ body }: Route): FieldRow[] {
  return body ? rowsOf(inlineSchema(body, 'input')) : [];
}

/** The fields of an answer's data; none where the answer is a sentence or a text. */
export function answerRows({ answer }: Route): FieldRow[] {
  const { properties = {} } = inlineSchema(answer, 'output');
  const data = properties['data'];
  return data === undefined ? [] : rowsOf(data as JsonSchema).map((row) => ({ ...row, fallback: '' }));
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): FieldRow[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const schema = property as JsonSchema;
    const row = {
      name: prefix + name,
      type: typeOf(schema),
      fallback: fallbackOf(schema, required.includes(name)),
      description: schema.description ?? '',
    };
    const items = schema.items as JsonSchema | undefined;
    return [row, ...rowsOf(schema, `${prefix}${name}.`), ...(items ? rowsOf(items, `${prefix}${name}[].`) : [])];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each)).join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items as JsonSchema)}[]`;
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
    const { properties = {} } = inlineSchema(data, 'output');
    const fields = Object.keys(properties).map((field) => `\`${field}\``);
    return [`\`${name}\``, fields.join(', '), meaning];
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
