/** README.md and ARCHITECTURE.md: their tables are those of the code, links lead somewhere, and commands work. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BARE_NAMES, SETTING_NAMES, SETTINGS } from '../../src/config/settings.js';
import type { SettingName } from '../../src/config/settings.js';
import { DEFAULT_ENGINE_OPTIONS } from '../../src/contract/options.js';
import { ROUTES } from '../../src/http/routes.js';
import { ERROR_KINDS } from '../../src/errors.js';
import { TERMINAL_MARK } from '../../src/processes/process-table.js';
import { runScript, startDocumentedServer } from '../http/shell.js';
import { CommandLine } from '../project/command-line.js';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

function section(title: string): string {
  const start = readme.indexOf(`\n## ${title}\n`);
  const end = readme.indexOf('\n## ', start + 1);
  return readme.slice(start, end === -1 ? undefined : end);
}

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!);
}

/** What stands between `<!-- name: … -->` and `<!-- end of name -->`. */
function generated(name: string): string {
  return new RegExp(`<!-- ${name}: .* -->\\n\\n([^]*)\\n<!-- end of ${name} -->`).exec(readme)![1]!;
}

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tenacitty-readme-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('README.md', () => {
  it('has the six chapters', () => {
    const chapters = [...readme.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(chapters).toEqual(['What it is', 'Quick start', 'API', 'Configuration', 'Deployment', 'Questions']);
  });

  it('lists every route', () => {
    const rows = ROUTES.map(({ method, path, summary }) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |\n`);
    expect(generated('routes')).toBe(`| Request | |\n| --- | --- |\n${rows.join('')}`);
  });

  it('lists every setting with its default', () => {
    const rows = SETTING_NAMES.map((name) => `| \`${name}\` | ${shownDefault(name)} | ${SETTINGS[name].doc} |\n`);
    expect(generated('settings')).toBe(`| Setting | Default | |\n| --- | --- | --- |\n${rows.join('')}`);
  });

  it('tells the limits as they are', () => {
    const { maxTerminals, maxDiskBytes, maxDiskBytesTotal, maxInputBytes, maxWaitingReads } = DEFAULT_ENGINE_OPTIONS;
    const told = [
      `${maxTerminals} running terminals`,
      `${maxDiskBytes / 2 ** 20} MiB of history on disk each and ${maxDiskBytesTotal / 2 ** 30} GiB in all`,
      `${maxInputBytes / 2 ** 20} MiB per input`,
      `${maxWaitingReads} waiting reads of one caller`,
    ];
    expect(section('Questions')).toContain(told.join(', '));
  });

  it('names no setting and no file that does not exist', () => {
    const words = readme.match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g)!;
    const variables = ['XDG_DATA_HOME', 'XDG_RUNTIME_DIR', TERMINAL_MARK, ...BARE_NAMES];
    expect(
      words.filter((name) => !(name in SETTINGS || name in ERROR_KINDS || variables.some((known) => known === name))),
    ).toEqual([]);
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, target]) => target!);
    expect(links.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });

  it('has npm scripts only that there are', () => {
    const named = [...readme.matchAll(/\bnpm (start|test|run (\w+))/g)].map(([, word, script]) => script ?? word!);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    expect(blocks(section('Quick start'), 'bash')[0]).toBe('npm start\nnpm test\n');
  });

  it('has shell commands only that a shell understands', () => {
    for (const script of blocks(readme, 'bash')) {
      expect(spawnSync('bash', ['-n'], { input: script }).stderr.toString()).toBe('');
    }
  });
});

function shownDefault(name: SettingName): string {
  const setting = SETTINGS[name];
  if ('otherwise' in setting) return setting.otherwise;
  return setting.fallback ? `\`${setting.fallback}\`` : 'none';
}

it('starts quickly as it says', async () => {
  const server = await startDocumentedServer();
  const [, ...session] = blocks(section('Quick start'), 'bash');
  const said = await runScript(session.join('\n'), server.home).finally(() => server.stop());
  expect(said).toMatch(/^\{"exitCode":3,"cwd":"\/tmp","durationMs":\d+\}\nhello from \/tmp\n/);
  for (const words of ['step 1', 'step 2', 'step 3', 'exit code 130', 'Terminal terminated successfully']) {
    expect(said).toContain(words);
  }
});

describe('the uses of the library that it shows', () => {
  const USES = [
    ['a program', /\x1b\[\S*metc\x1b\[0m\r\n[^]*\r\n0\n$/],
    ['commands', /^\{ output: '\/tmp', exitCode: 1, cwd: '\/tmp' \}\n1\n2\n3$/],
  ] as const;
  const codes = blocks(section('API'), 'ts');

  it.each(USES.map(([what, said], index) => [what, said, codes[index]!] as const))('work: %s', (what, said, code) => {
    const program = join(folder, `${what}.mts`);
    writeFileSync(program, code.replace("'tenacitty'", JSON.stringify(join(ROOT, 'src', 'index.ts'))));
    const tsx = createRequire(import.meta.url).resolve('tsx');
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', tsx, program], {
      env: { PATH: process.env['PATH'] },
    });
    expect(stderr.toString()).toBe('');
    expect(stdout.toString()).toMatch(said);
  });

  it('are all tried', () => expect(codes).toHaveLength(USES.length));
});

describe('behind a proxy, set as it says', () => {
  const [lines] = blocks(section('Deployment'), 'env');
  let server: CommandLine;
  let url: string;
  let key: string;
  beforeAll(async () => {
    key = (await new CommandLine(folder, ['key', 'create', '--name', 'laptop']).ended()).stdout.trim();
    writeFileSync(join(folder, '.env'), lines!);
    server = new CommandLine(folder, ['serve', '--port=0']);
    url = await server.url();
  });
  afterAll(async () => {
    server.child.kill('SIGTERM');
    await server.ended();
  });

  it.each([
    ['with a key', 'terminals.example.com', true, 200],
    ['without a key', 'terminals.example.com', false, 401],
    ['for another name', 'other.example.com', true, 403],
  ])('a request %s is answered as it should be', async (_what, host, hasKey, status) => {
    const headers = { host, 'x-forwarded-for': '192.0.2.7', ...(hasKey ? { 'x-api-key': key } : {}) };
    expect(await statusOf(`${url}/api/health`, headers)).toBe(status);
  });
});

function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers }, (answer) => resolve(answer.resume().statusCode!));
    request.on('error', reject).end();
  });
}
