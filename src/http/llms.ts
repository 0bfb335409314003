/**
 * `GET /llms.txt`: how to use the API, in few words, for a language model. The index comes from the
 * route table. Pure.
 */
import { TAGS, type Route } from './route.js';
import type { Service } from './service.js';

/** The whole text. */
export function llmsText(routes: readonly Route[], service: Pick<Service, 'url'>): string {
  const url = service.url();
  return `# tenacitty

> Terminals that keep running when you leave. Start a program, type into it, read what is new, stop it: over HTTP.

## Authentication

A process of the server's own user on the same machine needs none. Everyone else sends an API key with each request:
\`Authorization: Bearer KEY\` or \`X-API-Key: KEY\`. Bodies are JSON, sent with \`Content-Type: application/json\`.

## The main flow

1. POST ${url}/api/terminals with {"cwd":"/path/to/project"}: gives data.terminalId.
2. POST /api/terminals/ID/input with {"input":"npm run dev"}. Enter is added for you.
3. GET /api/terminals/ID/output?waitMs=10000: answers as soon as there is something. Keep data.cursor.
4. GET /api/terminals/ID/output?waitMs=10000&cursor=CURSOR: just what is new since then. Repeat with each new cursor.
   data.hasMore: read on at once. data.isActive false: the program has ended; see data.exitCode.
   data.rewrittenFrom: lines from this number on changed after you read them and are given anew.
5. POST /api/terminals/ID/input with {"keys":["ctrl-c"]} stops what runs; {"input":"y"} answers a question.
6. DELETE /api/terminals/ID ends every process of the terminal and forgets it.

Long output: mode=tail&tailLines=50, or mode=head-tail. Full-screen programs (vim, htop, menus): GET …/screen.

## Answers

{"success":true,"data":{…}} or {"success":true,"message":"…"} or
{"success":false,"error":{"code":"…","message":"…","details":{…}}}. The message says what to change.

## Routes
${TAGS.map((tag) => `\n### ${tag}\n\n${index(routes.filter((route) => route.tag === tag))}`).join('\n')}

Details: ${url}/openapi.json (OpenAPI 3.1), ${url}/docs (one page).
`;
}

function index(routes: readonly Route[]): string {
  return routes.map(({ method, path, summary }) => `- ${method.toUpperCase()} ${path}: ${summary}`).join('\n');
}
