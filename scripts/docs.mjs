/**
 * `npm run docs`: writes the references in docs/. api.md, events.md, hooks.md, page.md and objects.md are generated from the route table,
 * cli.md and tenacitty.1 from the table of commands, shells.md from the cases that each shell is tested with, the tables in
 * acp-check's README from its cases, the table in ARCHITECTURE.md from the plan of the sources, the messages in
 * live.md from their schemas, and library.md from the manager's interface and its comments.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CASE_GROUPS } from '../packages/acp-check/src/cases.ts';
import { withCheckTables } from '../packages/acp-check/test/page.ts';
import { GROUPS } from '../src/cli/table.ts';
import { ROUTES } from '../src/http/routes.ts';
import { withPlan } from '../test/project/imports.ts';
import { withLiveMessages } from '../test/project/live-page.ts';
import { withLibrary } from '../test/project/library-page.ts';
import { withObjects, withRoutes } from './docs/api-pages.ts';
import { withCommands } from './docs/cli-page.ts';
import { manPage } from './docs/man-page.ts';

// The modules with the cases also register Jest hooks; here nothing calls them.
globalThis.afterAll ??= () => {};
const { SUBJECTS } = await import('../test/shell/cases/cases.ts');
const { shellsPage } = await import('../test/shell/matrix.ts');

rewrite('api.md', (document) => withRoutes(document, ROUTES));
rewrite('objects.md', (document) => withObjects(document, ROUTES));
rewrite('../packages/acp-check/README.md', (document) => withCheckTables(document, CASE_GROUPS));
rewrite('cli.md', (document) => withCommands(document, GROUPS));
writeFileSync(new URL('../docs/tenacitty.1', import.meta.url), manPage(GROUPS));
rewrite('library.md', withLibrary);
rewrite('hooks.md', (document) => withRoutes(document, ROUTES, 'hooks.md'));
rewrite('recordings.md', (document) => withRoutes(document, ROUTES, 'recordings.md'));
rewrite('live.md', (document) => withLiveMessages(withRoutes(document, ROUTES, 'live.md')));
rewrite('page.md', (document) => withRoutes(document, ROUTES, 'page.md'));
rewrite('events.md', (document) => withRoutes(document, ROUTES, 'events.md'));
rewrite('../ARCHITECTURE.md', withPlan);
writeFileSync(new URL('../docs/shells.md', import.meta.url), shellsPage(SUBJECTS));

function rewrite(name, written) {
  const file = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(file, written(readFileSync(file, 'utf8')));
}
