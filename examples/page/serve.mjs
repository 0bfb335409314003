/** Serves the page and the client to a browser on this machine: `node serve.mjs`, then open the printed address. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = import.meta.dirname;
const client = dirname(fileURLToPath(import.meta.resolve('tenacitty/client')));
const files = {
  '/': join(here, 'index.html'),
  '/terminals.mjs': join(here, 'terminals.mjs'),
};
const types = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript' };

const server = createServer(({ url }, response) => {
  const module = /^\/client\/([\w-]+\.js)$/.exec(url);
  const file = module ? join(client, module[1]) : files[url];
  if (file === undefined) return response.writeHead(404).end();
  response.setHeader('Content-Type', types[file.split('.').at(-1)]);
  createReadStream(file)
    .on('error', () => response.writeHead(404).end())
    .pipe(response);
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
