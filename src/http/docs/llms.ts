/**
 * `GET /llms.txt`: a short guide to the API for a language model. The index is generated from the route table. Pure.
 */
import { TAGS, type Route } from '../route.js';
import type { Service } from '../service.js';

/** Returns the whole text. */
export function llmsText(routes: readonly Route[], service: Pick<Service, 'url'>): string {
  const url = service.url();
  return `# tenacitty

> Terminals that keep running when you leave. Run commands, start programs, type into them, read what is new, stop them: over HTTP.

## Authentication

A process of the server's own user on the same machine needs none. Everyone else sends an API key with each request:
\`Authorization: Bearer KEY\` or \`X-API-Key: KEY\`. Bodies are JSON, sent with \`Content-Type: application/json\`.

## Commands

1. POST ${url}/api/exec with {"command":"npm test","cwd":"/path/to/project"}: answers when it has ended, with
   data.output and data.exitCode. The terminal ends with the command, unless you say "keep":true: then the shell stays,
   with its directory and variables, as data.terminalId.
2. POST /api/terminals/ID/exec with {"command":"git status"}: the next command in that shell.
3. data.completed false: it goes on. data.state "waiting": it asks something, see data.waiting; POST
   /api/terminals/ID/input with {"input":"y"}. Then, or when only the time was over (timeoutMs, default 60000):
   GET /api/terminals/ID/commands/N/result?timeoutMs=60000, where N is data.commandId.
4. POST /api/terminals/ID/commands/N/interrupt stops it, as Ctrl-C.
5. data.state "nested": the command has led to another shell or a REPL (ssh, sudo -s, docker exec, python3). POST
   /api/terminals/ID/integrate with {}; from then on exec runs there, until that ends.
6. What does not end, as a server: {"command":"npm run dev","detach":true}, then POST /api/terminals/ID/wait with
   {"port":true} or {"regex":"localhost:(\\d+)","fromOffset":0}.

A terminal may have a name: {"name":"web"} when it is made (within "terminal" for /api/exec), or PATCH
/api/terminals/ID later. Then /api/terminals/web works wherever an id does.

With \`Accept: text/event-stream\` the output of a command comes as it is printed; so does that of a program (/api/run).

## Programs, typed into by hand

1. POST ${url}/api/terminals with {"cwd":"/path/to/project"}: gives data.terminalId.
2. POST /api/terminals/ID/input with {"input":"npm run dev"}. Enter is added for you.
3. GET /api/terminals/ID/output?timeoutMs=10000: answers as soon as there is something. Keep data.cursor.
4. GET /api/terminals/ID/output?timeoutMs=10000&cursor=CURSOR: just what is new since then. Repeat with each new cursor.
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
