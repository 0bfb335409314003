/**
 * A development server in the small: serves pages/, keeps each page until its file changes, and logs
 * every request and every change. Takes PORT, or any free port.
 */
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const PAGES = new URL('pages/', import.meta.url);
const NAME = /^\/([a-z0-9-]+\.html)?$/;

const pages = new Map();

const server = createServer(async (request, response) => {
  const page = await find(request.url);
  const status = page === undefined ? 404 : 200;
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(page ?? 'Not found\n');
  console.log(`${request.method} ${request.url} ${status}`);
});

async function find(path) {
  const match = NAME.exec(path);
  if (match === null) return undefined;
  const name = match[1] ?? 'index.html';
  if (!pages.has(name)) pages.set(name, await readFile(new URL(name, PAGES)).catch(() => undefined));
  return pages.get(name);
}

watch(PAGES, (_event, name) => {
  if (pages.delete(name)) console.log(`Changed: ${name}`);
});

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(`  Local:   http://127.0.0.1:${server.address().port}/`);
});
