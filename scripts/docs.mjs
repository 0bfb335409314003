/**
 * Writes the references in docs/ anew: api.md from the route table, cli.md from the table of commands. Run by
 * `npm run docs`, through tsx.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withCommands } from '../src/cli/reference.ts';
import { GROUPS } from '../src/cli/table.ts';
import { withReference } from '../src/http/markdown.ts';
import { ROUTES } from '../src/http/routes.ts';

rewrite('api.md', (document) => withReference(document, ROUTES));
rewrite('cli.md', (document) => withCommands(document, GROUPS));

function rewrite(name, written) {
  const file = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(file, written(readFileSync(file, 'utf8')));
}
