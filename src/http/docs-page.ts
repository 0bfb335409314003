/**
 * `GET /docs`: the reference as one page of HTML, made from the route table. No script, nothing
 * loaded: its only style is part of it and allowed by its hash. Pure.
 */
import { ERROR_KINDS } from '../errors.js';
import { EVENT_STREAM } from './event-stream.js';
import { answerRows, answerText, bodyRows, cellsOf, curlOf, eventRows, queryRows } from './reference.js';
import type { FieldRow } from './reference.js';
import { TAGS, errorsOf, type Route } from './route.js';
import type { Service } from './service.js';

/** Exactly what stands between the style tags: its hash goes into the Content-Security-Policy. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; } h3 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .3em; } pre { padding: .8rem; overflow-x: auto; } pre.curl { user-select: all; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
.method { font-weight: 700; }
`;

/** The whole page. */
export function docsPage(routes: readonly Route[], service: Pick<Service, 'version' | 'url'>): string {
  const version = escape(service.version);
  const sections = TAGS.map((tag) => {
    const ofTag = routes.filter((route) => route.tag === tag);
    return `<h2>${tag}</h2>\n${ofTag.map((route) => section(route, service.url())).join('\n')}`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tenacitty ${version}: API</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<h1>tenacitty ${version}</h1>
${INTRODUCTION}
<nav><ul>
${routes.map((route) => `<li><a href="#${route.name}">${title(route)}</a> ${escape(route.summary)}</li>`).join('\n')}
<li><a href="#errors">Errors</a></li>
</ul></nav>
${sections.join('\n')}
<h2 id="errors">Errors</h2>
${errorTable()}
</body>
</html>
`;
}

const INTRODUCTION = `<p>Terminals that outlive whoever is using them. A program of your own user on this machine may
call the API as it is; everyone else sends an API key: <code>Authorization: Bearer KEY</code> or
<code>X-API-Key: KEY</code>. In the commands below <code>$ID</code> stands for the id of a terminal, <code>$N</code> for the
number of a command; a click selects all of it. The same as <a href="/openapi.json">OpenAPI</a> and <a href="/llms.txt">for agents</a>.</p>`;

function title({ method, path }: Route): string {
  return `<span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code>`;
}

function section(route: Route, url: string): string {
  return [
    `<h3 id="${route.name}">${title(route)}</h3>`,
    `<p><b>${escape(route.summary)}.</b> ${prose(route.description)}</p>`,
    table('Query', queryRows(route)),
    table('Body', bodyRows(route)),
    `<pre class="curl">${escape(curlOf(route, url))}</pre>`,
    `<p>Answers ${route.status}, <code>${escape(route.mediaType)}</code>:</p>`,
    `<pre>${escape(answerText(route))}</pre>`,
    table('Data', answerRows(route)),
    streamOf(route),
    `<p>Errors: ${errorsOf(route)
      .map((code) => `<a href="#${code}">${code}</a>`)
      .join(', ')}</p>`,
  ].join('\n');
}

/** Only some routes have one. */
function streamOf(route: Route): string {
  const rows = eventRows(route);
  if (rows.length === 0) return '';
  const intro = `<p>With <code>Accept: ${EVENT_STREAM}</code> the answer is a stream of events:</p>`;
  return `${intro}\n${tableOf([['Event', 'Data', ''], ...rows])}`;
}

function table(heading: string, rows: readonly FieldRow[]): string {
  return rows.length === 0 ? '' : tableOf(cellsOf(heading, rows));
}

function tableOf([titles = [], ...lines]: readonly (readonly string[])[]): string {
  return `<table>\n${[cells('th', titles), ...lines.map((line) => cells('td', line))].join('\n')}\n</table>`;
}

function cells(tag: 'th' | 'td', texts: readonly string[]): string {
  return `<tr>${texts.map((text) => `<${tag}>${prose(text)}</${tag}>`).join('')}</tr>`;
}

function errorTable(): string {
  const lines = Object.entries(ERROR_KINDS).map(([code, { status, meaning }]) => {
    return `<tr id="${code}"><td><code>${code}</code><td>${status}<td>${prose(meaning)}</tr>`;
  });
  return `<table><tr><th>Code<th>Status<th>Meaning</tr>\n${lines.join('\n')}\n</table>`;
}

/** Text in which only \`code\` is marked. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
