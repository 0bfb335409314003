/** Describes a route as rows and lines that any page can lay out. Pure, and independent of HTML and Markdown. */
import { inlineSchema, type JsonSchema } from './json-schema.js';
import { FORM_TYPE, JSON_TYPE } from '../body.js';
import { EVENT_STREAM, JSON_LINES } from '../event-stream.js';
import type { Route } from '../route.js';

/** One field of a request or response. The name of a nested field contains dots. */
export interface FieldRow {
  readonly name: string;
  readonly type: string;
  /** `required`, the default value, or an empty string. */
  readonly fallback: string;
  readonly description: string;
}

const DEFAULT_COLUMN = 2;

/**
 * Returns a table of fields as cells. The first row contains the headings. Includes the column of defaults
 * only if at least one field has an entry in it.
 */
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

export function queryRows({ query }: Route, nameOf?: SchemaNamer): FieldRow[] {
  return rowsOf(inlineSchema(query, 'input'), nameOf);
}

export function bodyRows({ body }: Route, nameOf?: SchemaNamer): FieldRow[] {
  return body ? rowsOf(inlineSchema(body, 'input'), nameOf) : [];
}

/** Returns the schema of a response's data, or undefined if the response is a message or plain text. */
export function dataSchema({ answer }: Route): JsonSchema | undefined {
  return inlineSchema(answer, 'output').properties?.['data'] as JsonSchema | undefined;
}

export function answerRows(route: Route, nameOf?: SchemaNamer): FieldRow[] {
  const data = dataSchema(route);
  return data === undefined ? [] : withoutFallbacks(rowsOf(data, nameOf));
}

/** Clears the `fallback` of each row, because response fields are always present. */
export function withoutFallbacks(rows: readonly FieldRow[]): FieldRow[] {
  return rows.map((row) => ({ ...row, fallback: '' }));
}

/** Returns the name of an object that has its own description, or undefined. */
export type SchemaNamer = (schema: JsonSchema) => string | undefined;

/** Returns the fields of a schema, each followed by the fields nested in it. */
export function rowsOf(schema: JsonSchema, nameOf: SchemaNamer = () => undefined, prefix = ''): FieldRow[] {
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

/**
 * Returns the parts of a field, each with the suffix that separates the field's name from the names of nested fields.
 */
export function partsOf(field: JsonSchema): [part: JsonSchema, suffix: string][] {
  if (field.items !== undefined) return [[field.items as JsonSchema, '[].']];
  return (field.anyOf ?? [field]).map((part) => [part, '.']);
}

function typeOf(schema: JsonSchema, nameOf: SchemaNamer): string {
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

/** Returns the events of a route's stream, or an empty list if it has no stream. */
export function eventRows({ stream }: Route): [event: string, fields: string, meaning: string][] {
  return Object.entries(stream?.events ?? {}).map(([name, { data, meaning }]) => {
    const { properties = {}, description } = inlineSchema(data, 'output');
    const fields = Object.keys(properties).map((field) => `\`${field}\``);
    return [`\`${name}\``, description ?? fields.join(', '), meaning];
  });
}

/** Returns the sentence that introduces the events of a route's stream. */
export function streamHead({ mediaType }: Route): string {
  if (mediaType === EVENT_STREAM) return 'The events';
  if (mediaType === JSON_LINES)
    return `Each line is an event; with \`Accept: ${EVENT_STREAM}\`, its \`type\` is the name of a server-sent event`;
  return `With \`Accept: ${EVENT_STREAM}\`, the response is a stream of events`;
}

/** Returns an example of a route's stream as text. */
export function streamText({ stream }: Route): string {
  return Object.entries(stream?.events ?? {})
    .map(([name, { example }]) => `event: ${name}\ndata: ${JSON.stringify(example)}\n\n`)
    .join('');
}

/**
 * Returns how to call a route: the URL of a WebSocket, or a shell command (marked as `bash` if it ends without being
 * stopped).
 */
export function callOf(route: Route, url: string): { readonly language: string; readonly text: string } {
  // An event stream does not end, so the tests must not run the command.
  if (route.mediaType === EVENT_STREAM)
    return { language: 'text', text: curlOf(route, url).replace('curl', 'curl -N') };
  // Only the page can send this request.
  if (route.tag === 'Sign-in' && route.method === 'post') return { language: 'text', text: requestOf(route) };
  if (route.upgrade === undefined) return { language: 'bash', text: curlOf(route, url) };
  return { language: 'text', text: `${url.replace(/^http(s?):/, 'ws$1:')}${route.path.replace(':terminalId', '$ID')}` };
}

/**
 * Returns a curl command for the route's example. In it, `$ID` is the terminal's id, `$N` the command's number and
 * `$HOOK` the hook's id.
 */
export function curlOf({ method, path, example }: Route, url: string): string {
  const query = Object.entries(example.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const place = path
    .replace(':terminalId', '$ID')
    .replace(':commandId', '$N')
    .replace(':hookId', '$HOOK')
    .replace(':signInId', '$SIGN_IN');
  const target = `${url}${place}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `;
  const quoted = target.includes('?') || target.includes('$') ? `"${target}"` : target;
  if (!example.body) return `curl ${verb}${quoted}`;
  const body = JSON.stringify(example.body);
  return [`curl ${verb}${quoted} \\`, `  -H "Content-Type: ${JSON_TYPE}" \\`, `  -d '${body}'`].join('\n');
}

function requestOf({ method, path, takesForm, example: { body = {} } }: Route): string {
  const content = takesForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
  return `${method.toUpperCase()} ${path}\nContent-Type: ${takesForm ? FORM_TYPE : JSON_TYPE}\n\n${content}`;
}

/** Returns the example response as text. */
export function answerText({ example: { answer } }: Route): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
}
