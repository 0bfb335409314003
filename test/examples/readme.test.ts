/** Tests README.md and the pages it links to: their tables match the code, links are valid, and commands work. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BARE_NAMES, SETTING_NAMES, SETTINGS } from '../../src/config/settings.js';
import type { SettingName } from '../../src/config/settings.js';
import { DEFAULT_ENGINE_OPTIONS } from '../../src/contract/options.js';
import { ERROR_KINDS } from '../../src/errors.js';
import { TERMINAL_MARK } from '../../src/processes/process-table.js';
import { builtUrl } from '../build.js';
import { RunningCommand, MAIN, Place } from '../cli/place.js';
import { withoutTypes } from '../compiled.js';
import { runScript, startDocumentedServer } from '../http/shell.js';
import { CommandLine } from '../project/command-line.js';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const PAGES = ['README.md', 'docs/configuration.md', 'docs/deployment.md', 'docs/questions.md'] as const;
const [readme, configuration, deployment, questions] = PAGES.map(read) as [string, string, string, string];
const MAX_README_LINES = 200;

function section(title: string): string {
  const start = readme.indexOf(`\n## ${title}\n`);
  const end = readme.indexOf('\n## ', start + 1);
  return readme.slice(start, end === -1 ? undefined : end);
}

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!);
}

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tenacitty-readme-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('README.md', () => {
  it('has its six chapters', () => {
    const chapters = [...readme.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(chapters).toEqual(['What it is', 'Quick start', 'API', 'Configuration', 'Deployment', 'Questions']);
  });

  it('is short', () => expect(readme.split('\n').length - 1).toBeLessThanOrEqual(MAX_README_LINES));
});

describe('the pages that README.md links to', () => {
  it('list every setting with its default', () => {
    const rows = SETTING_NAMES.map((name) => `| \`${name}\` | ${shownDefault(name)} | ${SETTINGS[name].doc} |\n`);
    expect(configuration).toContain(`| Setting | Default | |\n| --- | --- | --- |\n${rows.join('')}\n<!-- end`);
  });

  it('state the limits correctly', () => {
    const { maxTerminals, maxDiskBytes, maxDiskBytesTotal, maxInputBytes, maxWaitingReads } = DEFAULT_ENGINE_OPTIONS;
    const told = [
      `${maxTerminals} running terminals`,
      `${maxDiskBytes / 2 ** 20} MiB of history on disk per terminal and ${maxDiskBytesTotal / 2 ** 30} GiB in total`,
      `${maxInputBytes / 2 ** 20} MiB per input`,
      `${maxWaitingReads} waiting reads per caller`,
    ];
    expect(questions.replaceAll('\n', ' ')).toContain(told.join(', '));
  });

  it.each(PAGES)('name only existing settings and files: %s', (page) => {
    const text = read(page);
    const words = text.match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g)!;
    const others = ['XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'NOTIFY_SOCKET', 'TERM_PROGRAM'];
    const variables = [...others, TERMINAL_MARK, ...BARE_NAMES];
    expect(
      words.filter((name) => !(name in SETTINGS || name in ERROR_KINDS || variables.some((known) => known === name))),
    ).toEqual([]);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target]) => target!);
    expect(links.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
  });

  it.each(PAGES)('name only existing npm scripts: %s', (page) => {
    const named = [...read(page).matchAll(/\bnpm (start|test|run (\w+))/g)].map(([, word, script]) => script ?? word!);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it.each(PAGES)('contain only valid shell commands: %s', (page) => {
    for (const script of blocks(read(page), 'bash')) {
      expect(spawnSync('bash', ['-n'], { input: script }).stderr.toString()).toBe('');
    }
  });
});

function shownDefault(name: SettingName): string {
  const setting = SETTINGS[name];
  if ('otherwise' in setting) return setting.otherwise;
  return setting.fallback ? `\`${setting.fallback}\`` : 'none';
}

describe('the quick start', () => {
  const [setUp, demo] = blocks(section('Quick start'), 'bash');

  it('has two commands', () => expect(setUp).toBe('npm start\nnpm test\n'));

  it('shows the command line correctly', async () => {
    const place = new Place();
    const bin = join(place.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'tenacitty'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, { mode: 0o755 });
    const env = { ...place.env, PATH: `${bin}:${place.env['PATH']}` };
    const command = new RunningCommand(['bash', '-e', '-c', demo!], place.directory, env);
    command.child.stdin!.end();
    const { stdout, stderr } = await command.ended();
    await place.close();
    const id = '[0-9a-f-]{36}';
    const said = ['exit code 3', 'hello from /tmp', id, 'step 1', 'step 2', 'step 3', 'stop\\? ', 'web has ended'];
    expect(stdout).toMatch(new RegExp(`^${said.join('\n')}\n$`));
    expect(stderr).toMatch(/is waiting for input \(line\)[^]* has ended: exit code 0\n(.* was removed\n){2}$/);
  });

  it('shows a request with its actual answer', async () => {
    const server = await startDocumentedServer();
    const [request] = blocks(section('API'), 'bash');
    try {
      const said = await runScript(request!, server.home);
      expect(JSON.parse(said)).toMatchObject({ success: true, data: { output: '/tmp', exitCode: 3, cwd: '/tmp' } });
    } finally {
      await server.stop();
    }
  });
});

describe('the examples in docs/library.md', () => {
  const USES = [
    ['a program', /\x1b\[\S*metc\x1b\[0m\r\n[^]*\r\n0\n$/],
    ['commands', /^\{ output: '\/tmp', exitCode: 1, cwd: '\/tmp' \}\n1\n2\n3$/],
    ['all terminals', /^created build\nended 3\n$/],
  ] as const;
  const codes = blocks(read('docs/library.md').split('<!-- reference')[0]!, 'ts');

  it.each(USES.map(([what, said], index) => [what, said, codes[index]!] as const))('work: %s', (what, said, code) => {
    const program = join(folder, `${what}.mjs`);
    writeFileSync(program, withoutTypes(code.replace("'tenacitty'", `'${builtUrl('index.js')}'`)));
    const { stdout, stderr } = spawnSync(process.execPath, [program], {
      env: { PATH: process.env['PATH'] },
    });
    expect(stderr.toString()).toBe('');
    expect(stdout.toString()).toMatch(said);
  });

  it('are all tried', () => expect(codes).toHaveLength(USES.length));
});

describe('behind a proxy configured as in docs/deployment.md', () => {
  const [lines] = blocks(deployment, 'env');
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
  ])('a request %s is answered as documented', async (_what, host, hasKey, status) => {
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
