/**
 * Generates the text for `GET /llms.txt`: a short guide to the API for language models, with an index of the routes.
 * Pure.
 */
import { TAGS, type Route } from '../route.js';
import type { Service } from '../service.js';

/** Returns the complete text. */
export function llmsText(routes: readonly Route[], service: Pick<Service, 'url'>): string {
  const url = service.url();
  return `# tenacitty

> Persistent terminals over HTTP, which keep running after you disconnect. Run commands, start programs, type into them, read new output, and stop them.

## Authentication

A process that the server's own user runs on the same machine needs none. All others send an API key with each request:
\`Authorization: Bearer KEY\` or \`X-API-Key: KEY\`. Bodies are JSON, sent with \`Content-Type: application/json\`.

## Commands

1. POST ${url}/api/exec with {"command":"npm test","cwd":"/path/to/project"}: responds when the command has ended, with
   data.output and data.exitCode. The terminal ends with the command. With "keep":true, the shell stays, with its
   directory and variables, as data.terminalId.
2. POST /api/terminals/ID/exec with {"command":"git status"}: the next command in that shell.
3. data.completed false: it is still running. data.state "waiting": it is asking for input, see data.waiting; POST
   /api/terminals/ID/input with {"input":"y"}. Then, or if only the timeout has expired (timeoutMs, default 60000):
   GET /api/terminals/ID/commands/N/result?timeoutMs=60000, where N is data.commandId.
4. POST /api/terminals/ID/commands/N/interrupt stops it, like Ctrl-C.
5. data.state "nested": the command opened a nested shell or REPL (ssh, sudo -s, docker exec, python3). POST
   /api/terminals/ID/integrate with {}; exec then runs commands there until it ends.
6. For a command that does not end, such as a server: {"command":"npm run dev","detach":true}, then POST
   /api/terminals/ID/wait with {"port":true} or {"regex":"localhost:(\\d+)","fromOffset":0}.

A terminal may have a name: give {"name":"web"} when you create it (in "terminal" for /api/exec), or PATCH
/api/terminals/ID later. The name then works wherever an id does: /api/terminals/web.

With \`Accept: text/event-stream\`, the output of a command or program (/api/run) arrives as it is printed.

## Interactive programs

1. POST ${url}/api/terminals with {"cwd":"/path/to/project"}: returns data.terminalId.
2. POST /api/terminals/ID/input with {"input":"npm run dev"}. Enter is added for you.
3. GET /api/terminals/ID/output?timeoutMs=10000: responds as soon as there is output. Keep data.cursor.
4. GET /api/terminals/ID/output?timeoutMs=10000&cursor=CURSOR: only the output since then. Repeat with each new cursor.
   data.hasMore: continue reading at once. data.isActive false: the program has ended; see data.exitCode.
   data.rewrittenFrom: lines starting at this number changed after you read them and are returned again.
5. POST /api/terminals/ID/input with {"keys":["ctrl-c"]} stops the program; {"input":"y"} answers a question.
6. DELETE /api/terminals/ID ends every process of the terminal and removes it.

Long output: mode=tail&tailLines=50, or mode=head-tail. Full-screen programs (vim, htop, menus): GET …/screen.

## All terminals

1. GET ${url}/api/overview: each terminal with its last command, its last lines and, in waiting, what it asks.
2. POST /api/terminals/ID/answer with {"waiting":"ID of the question","text":"y"}: typed only if it is still asking exactly that.
3. GET /api/search?text=error: searches every history, one JSON result per line.
4. GET /api/events: what happens, as server-sent events.

## Responses

{"success":true,"data":{…}} or {"success":true,"message":"…"} or
{"success":false,"error":{"code":"…","message":"…","details":{…}}}. The message explains what to change.

## Routes
${TAGS.map((tag) => `\n### ${tag}\n\n${index(routes.filter((route) => route.tag === tag))}`).join('\n')}

Details: ${url}/openapi.json (OpenAPI 3.1), ${url}/docs (one page).
`;
}

function index(routes: readonly Route[]): string {
  return routes.map(({ method, path, summary }) => `- ${method.toUpperCase()} ${path}: ${summary}`).join('\n');
}
