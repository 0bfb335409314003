/**
 * The reference in `docs/api.md`, made from the route table; `npm run docs` writes it and a test
 * holds it. Pure.
 */
import { ERROR_KINDS } from '../../errors.js';
import { EVENT_STREAM } from '../event-stream.js';
import { answerRows, answerText, bodyRows, cellsOf, curlOf, eventRows, queryRows } from './reference.js';
import type { FieldRow } from './reference.js';
import { TAGS, errorsOf, type Route } from '../route.js';

/** Where the seed's examples find the service. */
const DOCUMENTED_URL = 'http://localhost:3001';

const BEGIN = '<!-- reference: written by `npm run docs` from the route table; edit the table, not this -->';
const END = '<!-- end of reference -->';

/** The document with what stands between its two marks replaced by the reference. */
export function withReference(document: string, routes: readonly Route[]): string {
  const before = document.slice(0, document.indexOf(BEGIN));
  const after = document.slice(document.indexOf(END));
  return `${before}${BEGIN}\n\n${reference(routes)}\n\n${after}`;
}

function reference(routes: readonly Route[]): string {
  const groups = TAGS.flatMap((tag) => [
    `## ${tag}`,
    ...routes.filter((route) => route.tag === tag).map((route) => section(route)),
  ]);
  return [...groups, '## Errors', errorTable()].join('\n\n');
}

function section(route: Route): string {
  return [
    `### ${route.summary}`,
    `\`${route.method.toUpperCase()} ${route.path}\``,
    route.description,
    table('Query', queryRows(route)),
    table('Body', bodyRows(route)),
    fenced('bash', curlOf(route, DOCUMENTED_URL)),
    `Answers ${route.status}, \`${route.mediaType}\`:`,
    fenced(typeof route.example.answer === 'string' ? 'text' : 'json', answerText(route)),
    table('Data', answerRows(route)),
    streamOf(route),
    `Errors: ${errorsOf(route)
      .map((code) => `\`${code}\``)
      .join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Only some routes have one. */
function streamOf(route: Route): string {
  const rows = eventRows(route);
  if (rows.length === 0) return '';
  const head = [line(['Event', 'Data', '']), line(['---', '---', '---'])];
  return [
    `With \`Accept: ${EVENT_STREAM}\` the answer is a stream of events:`,
    [...head, ...rows.map(line)].join('\n'),
  ].join('\n\n');
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

function table(heading: string, rows: readonly FieldRow[]): string {
  if (rows.length === 0) return '';
  const [titles = [], ...cells] = cellsOf(heading, rows);
  return [line(titles), line(titles.map(() => '---')), ...cells.map(line)].join('\n');
}

function errorTable(): string {
  const lines = Object.entries(ERROR_KINDS).map(([code, { status, retryable, meaning }]) =>
    line([`\`${code}\``, String(status), retryable ? 'yes' : 'no', meaning]),
  );
  return [line(['Code', 'Status', 'Retry?', 'Meaning']), '| --- | --- | --- | --- |', ...lines].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
