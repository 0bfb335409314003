/** Tests the pages of the REST API: they match the table, are complete, and every command in them works. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withObjects, withRoutes } from '../../scripts/docs/api-pages.js';
import { SignInFiles } from '../../src/access/sign-in-files.js';
import { SETTINGS } from '../../src/config/settings.js';
import { ERROR_KINDS } from '../../src/errors.js';
import { ROUTES } from '../../src/http/routes.js';
import { eventually } from '../eventually.js';
import { withLiveMessages } from '../project/live-page.js';
import { runScript, startDocumentedServer } from './shell.js';

const read = (page: string) => readFileSync(join('docs', page), 'utf8');
const PAGES = {
  'rest.md': read('rest.md'),
  'api.md': read('api.md'),
  'live.md': read('live.md'),
  'events.md': read('events.md'),
  'hooks.md': read('hooks.md'),
  'recordings.md': read('recordings.md'),
  'page.md': read('page.md'),
  'objects.md': read('objects.md'),
};
const MAX_BYTES = 40 * 1024;

it('is what `npm run docs` writes from the route table', () => {
  expect(withRoutes(PAGES['api.md'], ROUTES)).toBe(PAGES['api.md']);
  expect(withRoutes(PAGES['events.md'], ROUTES, 'events.md')).toBe(PAGES['events.md']);
  expect(withLiveMessages(withRoutes(PAGES['live.md'], ROUTES, 'live.md'))).toBe(PAGES['live.md']);
  expect(withRoutes(PAGES['hooks.md'], ROUTES, 'hooks.md')).toBe(PAGES['hooks.md']);
  expect(withRoutes(PAGES['page.md'], ROUTES, 'page.md')).toBe(PAGES['page.md']);
  expect(withRoutes(PAGES['recordings.md'], ROUTES, 'recordings.md')).toBe(PAGES['recordings.md']);
  expect(withObjects(PAGES['objects.md'], ROUTES)).toBe(PAGES['objects.md']);
});

it('can be read completely', () => expect(Buffer.byteLength(PAGES['api.md'])).toBeLessThanOrEqual(MAX_BYTES));

it('describes for each route its request, its answer, and its own errors', () => {
  const pages = [
    PAGES['api.md'],
    PAGES['live.md'],
    PAGES['events.md'],
    PAGES['hooks.md'],
    PAGES['page.md'],
    PAGES['recordings.md'],
  ];
  const all = pages.flatMap((page) => page.slice(page.indexOf('<!-- reference')).split('\n### ').slice(1));
  const sections = all.map((section) => [section.split('\n', 1)[0], section] as const);
  expect(sections.map(([title]) => title).sort()).toEqual(ROUTES.map(({ summary }) => summary).sort());
  for (const { summary, method, path, status, errors = [] } of ROUTES) {
    const section = new Map(sections).get(summary);
    expect(section).toContain(`\n\`${method.toUpperCase()} ${path}\``);
    expect(section).toContain(`\nReturns ${status} `);
    for (const code of errors) expect(section).toContain(`\`${code}\``);
  }
});

it('contains exactly the existing error codes in its table', () => {
  const table = PAGES['objects.md'].slice(PAGES['objects.md'].indexOf('\n## Errors\n'));
  const codes = [...table.matchAll(/^\| `([A-Z_]+)` \| (\d+) /gm)].map(([, code, status]) => [code, Number(status)]);
  expect(codes).toEqual(Object.entries(ERROR_KINDS).map(([code, { status }]) => [code, status]));
  for (const [code] of Object.values(PAGES)
    .join('')
    .matchAll(/\b[A-Z]{3,}_(?:NOT_|TOO_|MEDIA_)?[A-Z]{3,}\b/g)) {
    if (code in ERROR_KINDS || code in SETTINGS) continue;
    expect(VARIABLES_IN_PROSE).toContain(code);
  }
});

/** Words in capitals that are variables of a script. */
const VARIABLES_IN_PROSE = ['LAST_LINE', 'NODE_ENV', 'YOUR_KEY', 'YOUR_TOPIC'];

it.each(Object.entries(PAGES))('contains a heading for every link in %s', (page, document) => {
  const anchors = Object.fromEntries(Object.entries(PAGES).map(([name, text]) => [name, anchorsOf(text)]));
  const links = [...document.matchAll(/\]\((\w+\.md)?#([^)]+)\)/g)];
  for (const [, other, target] of links) expect(anchors[other ?? page]).toContain(target);
});

const anchorsOf = (document: string) => [...document.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title ?? ''));

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

describe('every command', () => {
  const scripts = [
    ...Object.values(PAGES)
      .join('')
      .matchAll(/^```bash\n([^]*?)^```$/gm),
  ].map(([, script]) => script ?? '');
  const blocks = scripts.map((script, at) => [at + 1, script.split('\n')[0] ?? '', script] as const);
  let server: Awaited<ReturnType<typeof startDocumentedServer>>;
  beforeAll(async () => {
    server = await startDocumentedServer();
    const listening = "function () { console.log('Local: http://localhost:' + this.address().port) }";
    const dev = `node -e "require('http').createServer().listen(0, '127.0.0.1', ${listening})"`;
    writeFileSync(join(server.home, 'package.json'), JSON.stringify({ scripts: { dev } }));
  });
  afterAll(() => server.stop());

  it.each(blocks)('runs block %i: %s', async (_number, _firstLine, script) => {
    const ID = await server.api.create({ shell: 'bash' });
    await server.manager.exec(ID, { command: 'true' });
    const isForShellWithin = script.includes('/integrate"');
    if (isForShellWithin) await server.manager.exec(ID, { command: 'bash --norc', detach: true });
    const HOOK = (await server.api.post('/api/hooks', { on: ['ended'], exec: 'true' })).body.data.id as string;
    const SIGN_IN = signInTo(server.dataDir);
    const command = script.includes('/answer"') ? script.replace(/"waiting":"[^"]*"/, await questionIn(ID)) : script;
    // curl fails for every error answer, and bash with it.
    await expect(runScript(command, server.home, { ID, N: '1', HOOK, SIGN_IN })).resolves.toEqual(expect.any(String));
  });

  function signInTo(dataDir: string): string {
    return new SignInFiles(dataDir).create({ as: 'local', name: 'ada', origin: 'http://localhost:3001', browser: '' })
      .id;
  }

  /** Makes a program ask, and returns the field that names its question. */
  async function questionIn(id: string): Promise<string> {
    await server.manager.exec(id, { command: 'read answer' });
    const waiting = await eventually(async () => (await server.manager.overview({ ids: [id] }))[0]?.waiting);
    return `"waiting":"${waiting.id}"`;
  }

  it('exists in sufficient number', () => expect(blocks.length).toBeGreaterThan(ROUTES.length));
});
