/**
 * Generates the page for `GET /docs`: the reference as a single HTML page without scripts or external resources, from
 * the route table. Pure.
 */
import { ERROR_KINDS } from '../../errors.js';
import { answerRows, answerText, bodyRows, cellsOf, callOf, eventRows, queryRows, streamHead } from './reference.js';
import type { FieldRow } from './reference.js';
import { TAGS, errorsOf, type Route } from '../route.js';
import { escape, htmlPage, prose } from '../pages.js';
import type { Service } from '../service.js';

/** Returns the complete page. */
export function docsPage(routes: readonly Route[], service: Pick<Service, 'version' | 'url'>): string {
  const version = escape(service.version);
  const sections = TAGS.map((tag) => {
    const ofTag = routes.filter((route) => route.tag === tag);
    return `<h2>${tag}</h2>\n${ofTag.map((route) => section(route, service.url())).join('\n')}`;
  });
  return htmlPage(
    `tenacitty ${service.version}: API`,
    `<h1>tenacitty ${version}</h1>
${INTRODUCTION}
<nav><ul>
${routes.map((route) => `<li><a href="#${route.name}">${title(route)}</a> ${escape(route.summary)}</li>`).join('\n')}
<li><a href="#errors">Errors</a></li>
</ul></nav>
${sections.join('\n')}
<h2 id="errors">Errors</h2>
${errorTable()}`,
  );
}

const INTRODUCTION = `<p>Persistent terminals. Programs of your own user on this machine can call the API without a key; all
other callers send an API key: <code>Authorization: Bearer KEY</code> or <code>X-API-Key: KEY</code>. In the commands,
<code>$ID</code> stands for the id of a terminal and <code>$N</code> for the number of a command. Click a command to
select it. Also available as <a href="/openapi.json">OpenAPI</a> and as a <a href="/llms.txt">guide for agents</a>.</p>`;

function title({ method, path }: Route): string {
  return `<span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code>`;
}

function section(route: Route, url: string): string {
  return [
    `<h3 id="${route.name}">${title(route)}</h3>`,
    `<p><b>${escape(route.summary)}.</b> ${prose(route.description)}</p>`,
    table('Query', queryRows(route)),
    table('Body', bodyRows(route)),
    `<pre class="curl">${escape(callOf(route, url).text)}</pre>`,
    `<p>Returns ${route.status} (<code>${escape(route.mediaType)}</code>):</p>`,
    `<pre>${escape(answerText(route))}</pre>`,
    table('Data', answerRows(route)),
    streamOf(route),
    `<p>Errors: ${errorsOf(route)
      .map((code) => `<a href="#${code}">${code}</a>`)
      .join(', ')}</p>`,
  ].join('\n');
}

/** Returns the events of a route's stream, or nothing if it has no stream. */
function streamOf(route: Route): string {
  const rows = eventRows(route);
  if (rows.length === 0) return '';
  return `<p>${prose(streamHead(route))}:</p>\n${tableOf([['Event', 'Data', ''], ...rows])}`;
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
