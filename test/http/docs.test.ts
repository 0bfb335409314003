/** docs/api.md: made from the table, complete, and every command in it works. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/config/settings.js';
import { ERROR_KINDS } from '../../src/errors.js';
import { withReference } from '../../src/http/docs/markdown.js';
import { ROUTES } from '../../src/http/routes.js';
import { runScript, startDocumentedServer } from './shell.js';

const document = readFileSync('docs/api.md', 'utf8');

it('is what `npm run docs` writes from the route table', () => {
  expect(withReference(document, ROUTES)).toBe(document);
});

it('has every error code in its table and no other', () => {
  const table = document.slice(document.indexOf('\n## Errors\n'));
  const codes = [...table.matchAll(/^\| `([A-Z_]+)` \| (\d+) /gm)].map(([, code, status]) => [code, Number(status)]);
  expect(codes).toEqual(Object.entries(ERROR_KINDS).map(([code, { status }]) => [code, status]));
  for (const [code] of document.matchAll(/\b[A-Z]{3,}_(?:NOT_|TOO_|MEDIA_)?[A-Z]{3,}\b/g)) {
    if (code in ERROR_KINDS || code in SETTINGS) continue;
    expect(VARIABLES_IN_PROSE).toContain(code);
  }
});

/** Words in capitals that are variables of a script. */
const VARIABLES_IN_PROSE = ['LAST_LINE', 'NODE_ENV', 'YOUR_KEY'];

it('has a heading for every link within it', () => {
  const anchors = [...document.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title ?? ''));
  for (const [, target] of document.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(target);
});

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

describe('every command', () => {
  const scripts = [...document.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, script]) => script ?? '');
  const blocks = scripts.map((script, at) => [at + 1, script.split('\n')[0] ?? '', script] as const);
  let server: Awaited<ReturnType<typeof startDocumentedServer>>;
  beforeAll(async () => {
    server = await startDocumentedServer();
    const dev = `node -e "console.log('Local: http://localhost:5173/'); process.stdin.resume()"`;
    writeFileSync(join(server.home, 'package.json'), JSON.stringify({ scripts: { dev } }));
  });
  afterAll(() => server.stop());

  it.each(blocks)('runs block %i: %s', async (_number, _firstLine, script) => {
    const ID = await server.api.create({ shell: 'bash' });
    await server.manager.exec(ID, { command: 'true' });
    const isForShellWithin = script.includes('/integrate"');
    if (isForShellWithin) await server.manager.exec(ID, { command: 'bash --norc', detach: true });
    // curl fails for any answer that is an error, and bash with it.
    await expect(runScript(script, server.home, { ID, N: '1' })).resolves.toEqual(expect.any(String));
  });

  it('is more than a few', () => expect(blocks.length).toBeGreaterThan(ROUTES.length));
});
