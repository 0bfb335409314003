/**
 * Generates the reference documentation from the route table: routes in `docs/api.md`, objects and errors in
 * `docs/objects.md`. `npm run docs` writes these pages, and a test checks that they are current. Pure.
 */
import { ERROR_KINDS } from '../../src/errors.js';
import {
  answerRows,
  bodyRows,
  callOf,
  dataSchema,
  eventRows,
  queryRows,
  rowsOf,
  streamHead,
  withoutFallbacks,
} from '../../src/http/docs/reference.js';
import type { FieldRow } from '../../src/http/docs/reference.js';
import { COMMON_ERRORS, TAGS, type Route, type Tag } from '../../src/http/route.js';
import { compactJson } from './compact-json.js';
import { FieldTables } from './field-tables.js';
import { codes, fenced, linkTo, paragraphs, table } from './markdown.js';
import { sharedObjects, type SharedObjects } from './objects.js';

/** The server's URL in the original API's examples. */
const DOCUMENTED_URL = 'http://localhost:3001';
const ROUTES_PAGE = 'api.md';
const OBJECTS_PAGE = 'objects.md';
/** Tags that have a page of their own. */
const PAGES: Partial<Readonly<Record<Tag, string>>> = {
  Recordings: 'recordings.md',
  Live: 'live.md',
  'All terminals': 'events.md',
  Hooks: 'hooks.md',
  'Sign-in': 'page.md',
};
const TAKES_KEY = '[repeatable](rest.md#repeating-a-request)';
const BEGIN = '<!-- reference: written by `npm run docs` from the route table; edit the table, not this -->';
const END = '<!-- end of reference -->';

/** Returns the page (docs/api.md by default) with the text between its two marks replaced by its routes. */
export function withRoutes(document: string, routes: readonly Route[], page = ROUTES_PAGE): string {
  return within(document, page, new Reference(routes).routes(page));
}

/** Returns docs/objects.md with the text between its two marks replaced by the objects that routes share. */
export function withObjects(document: string, routes: readonly Route[]): string {
  const objects = ['## Objects', ...new Reference(routes).objects()];
  return within(document, OBJECTS_PAGE, [...objects, '## Errors', commonErrors(), errorTable()]);
}

function within(document: string, page: string, parts: readonly string[]): string {
  const before = document.slice(0, document.indexOf(BEGIN));
  const after = document.slice(document.indexOf(END));
  const text = paragraphs([BEGIN, ...parts, after]);
  return `${before}${text.replaceAll(`](${page}#`, '](#')}`;
}

class Reference {
  readonly #routes: readonly Route[];
  readonly #shared: SharedObjects;
  readonly #tables = new FieldTables();
  /** Links to the places that describe each response and each stream. */
  readonly #shown = new Map<string, string>();

  constructor(routes: readonly Route[]) {
    this.#routes = routes;
    this.#shared = sharedObjects(routes);
  }

  routes(page: string): string[] {
    this.objects(); // Register the shared objects first, so that routes link to them.
    return TAGS.filter((tag) => pageOf(tag) === page).flatMap((tag) => [
      `## ${tag}`,
      ...this.#routes.filter((route) => route.tag === tag).map((route) => this.#route(route)),
    ]);
  }

  objects(): string[] {
    return [...this.#shared.schemas].map(([name, schema]) => {
      const rows = withoutFallbacks(rowsOf(schema, this.#shared.nameOf));
      return paragraphs([`### ${name}`, this.#fields(linkTo(name, OBJECTS_PAGE), 'Data', rows)]);
    });
  }

  #route(route: Route): string {
    const { nameOf } = this.#shared;
    const place = linkTo(route.summary, pageOf(route.tag));
    const call = callOf(route, DOCUMENTED_URL);
    return paragraphs([
      `### ${route.summary}`,
      `\`${route.method.toUpperCase()} ${route.path}\`${route.takesKey ? `, ${TAKES_KEY}` : ''}`,
      route.description,
      this.#fields(place, 'Query', queryRows(route, nameOf)),
      this.#fields(place, 'Body', bodyRows(route, nameOf)),
      fenced(call.language, call.text),
      this.#answer(route, place),
      this.#stream(route, place),
      route.errors === undefined ? '' : `Errors: ${codes(route.errors)}`,
    ]);
  }

  #answer(route: Route, place: string): string {
    const data = dataSchema(route);
    const name = data && this.#shared.nameOf(data);
    const kind = name === undefined ? `(\`${route.mediaType}\`)` : `with ${this.#linked(name)}`;
    const answer = `Returns ${route.status} ${kind}`;
    const example = exampleOf(route);
    const shown = this.#shown.get(example);
    if (shown !== undefined) return `${answer}, as in ${shown}.`;
    this.#shown.set(example, place);
    const rows = name === undefined ? answerRows(route, this.#shared.nameOf) : [];
    return paragraphs([`${answer}:`, example, this.#fields(place, 'Data', rows)]);
  }

  /** Returns the events of a route's stream, or nothing if it has no stream. */
  #stream(route: Route, place: string): string {
    const rows = eventRows(route);
    if (rows.length === 0) return '';
    const events = table([['Event', 'Data', ''], ...rows]);
    const head = streamHead(route);
    const shown = this.#shown.get(events);
    if (shown !== undefined) return `${head}, as in ${shown}.`;
    this.#shown.set(events, place);
    return paragraphs([`${head}:`, events]);
  }

  #fields(place: string, heading: string, rows: readonly FieldRow[]): string {
    return this.#tables.at(
      place,
      heading,
      rows.map((row) => ({ ...row, type: this.#linked(row.type) })),
    );
  }

  /**
   * Links each object's name to its description: the route that accepts it as its body or, if there is none,
   * docs/objects.md.
   */
  #linked(type: string): string {
    const { schemas, bodies } = this.#shared;
    return type.replace(/\w+/g, (word) => {
      const summary = bodies.get(word);
      if (summary !== undefined) return linkTo(summary, ROUTES_PAGE).replace(/^\[.*?\]/, `[${word}]`);
      return schemas.has(word) ? linkTo(word, OBJECTS_PAGE) : word;
    });
  }
}

/** Returns the page in docs/ that describes the routes with this tag. */
export function pageOf(tag: Tag): string {
  return PAGES[tag] ?? ROUTES_PAGE;
}

function exampleOf({ example: { answer } }: Route): string {
  return typeof answer === 'string' ? fenced('text', answer) : fenced('json', compactJson(answer));
}

function commonErrors(): string {
  const lines = COMMON_ERRORS.map(({ of, codes: common }) => `- ${of}: ${codes(common)}`);
  return `Each route lists its own errors. In addition, the following can occur:\n\n${lines.join('\n')}`;
}

function errorTable(): string {
  const rows = Object.entries(ERROR_KINDS).map(([code, { status, retryable, meaning }]) => [
    `\`${code}\``,
    String(status),
    retryable ? 'yes' : 'no',
    meaning,
  ]);
  return table([['Code', 'Status', 'Retry?', 'Meaning'], ...rows]);
}
