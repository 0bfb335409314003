/**
 * Tests `tenacitty mcp install` and `uninstall` on real files in their own home directory: what each client finds
 * there.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { MCP_CLIENTS } from '../../src/cli/flags/mcp.js';
import type { McpClientName } from '../../src/cli/flags/mcp.js';
import { DEEP } from '../deep.js';
import { RunningCommand, MAIN } from './place.js';
import type { EndedCommand } from './place.js';

let home: string;
beforeEach(() => (home = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-mcp-')))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The file's location on Linux; on macOS it differs for two clients. */
const FILES: Readonly<Record<McpClientName, string>> = {
  claude: '.claude.json',
  'claude-desktop': join(support(), 'Claude', 'claude_desktop_config.json'),
  cursor: '.cursor/mcp.json',
  vscode: join(support(), 'Code', 'User', 'mcp.json'),
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  zed: '.config/zed/settings.json',
  opencode: '.config/opencode/opencode.json',
};

function support(): string {
  return process.platform === 'darwin' ? 'Library/Application Support' : '.config';
}

const SERVERS: Readonly<Record<McpClientName, string>> = {
  claude: 'mcpServers',
  'claude-desktop': 'mcpServers',
  cursor: 'mcpServers',
  vscode: 'servers',
  codex: 'mcp_servers',
  gemini: 'mcpServers',
  windsurf: 'mcpServers',
  zed: 'context_servers',
  opencode: 'mcp',
};

/** A file as people and programs leave it: with comments, other servers, secrets. */
function lived(client: McpClientName): string {
  const container = SERVERS[client];
  if (client === 'codex')
    return `# mine\nmodel = "o3"\n\n[${container}.other] # keep\ncommand = 'x'\n\n[tui]\na = """\n[x\n"""`;
  return `// of ${client}\r\n{\r\n\t"theme": "dark", // why not\r\n\t"${container}": {\r\n\t\t/* others */\r\n\t\t"other": { "command": "x", "env": { "KEY": "secret" } },\r\n\t},\r\n}\r\n\r\n`;
}

const pathOf = (client: McpClientName) => join(home, FILES[client]);
const textOf = (client: McpClientName) => readFileSync(pathOf(client), 'utf8');

function write(client: McpClientName, text: string): string {
  mkdirSync(dirname(pathOf(client)), { recursive: true });
  writeFileSync(pathOf(client), text);
  return text;
}

function backups(client: McpClientName): string[] {
  const path = pathOf(client);
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.tenacitty-backup-`));
  return names.sort().map((name) => readFileSync(join(dirname(path), name), 'utf8'));
}

/** All files below the home directory, with their content. */
function everything(): Record<string, string> {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(home, name)).isFile(),
  );
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(home, name), 'utf8')]));
}

/** Runs `tenacitty mcp …` with a nearly empty environment. */
function mcp(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<EndedCommand> {
  const command = new RunningCommand([process.execPath, MAIN, 'mcp', ...words], home, {
    PATH: '/nowhere',
    HOME: home,
    ...env,
  });
  command.child.stdin!.end();
  return command.ended();
}

async function done(...words: string[]): Promise<string> {
  const ended = await mcp(words);
  expect(ended).toMatchObject({ code: 0 });
  return ended.stderr;
}

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await mcp([...words, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** One with JSON, one with JSON and comments, one with TOML; the deep run tries all. */
const TRIED = DEEP ? MCP_CLIENTS : (['claude', 'vscode', 'codex'] as const);

describe.each(TRIED)('with a new file of %s', (client) => {
  /** opencode has a single list of words. */
  const entry = (command: string, ...args: string[]) =>
    client === 'opencode' ? { command: [command, ...args] } : { command, args };
  const own = entry(process.execPath, realpathSync(MAIN), 'mcp');

  it('a file is created for this user only, and removed again', async () => {
    expect(await done('install', client)).toContain(`added to`);
    expect(textOf(client)).toContain(JSON.stringify(realpathSync(MAIN)));
    expect(statSync(pathOf(client)).mode & 0o777).toBe(0o600);
    expect(backups(client)).toEqual([]);
    expect(await done('uninstall', client)).toContain('was removed');
    expect(existsSync(pathOf(client))).toBe(false);
  });

  it('an existing file keeps everything around the entry, and is restored in the end', async () => {
    const before = write(client, lived(client));
    chmodSync(pathOf(client), 0o640);
    expect(await json('install', client)).toMatchObject({ outcome: 'added', file: pathOf(client), entry: own });
    const after = textOf(client);
    const kept = after.split(/(?<=\n)/).filter((line) => before.includes(line));
    expect(client === 'codex' ? after.startsWith(before) : kept.join('') === before).toBe(true);
    expect(backups(client)).toEqual([before]);
    expect(statSync(pathOf(client)).mode & 0o777).toBe(0o640);
    expect(await json('uninstall', client)).toMatchObject({ outcome: 'removed', isRemoved: false });
    expect(textOf(client)).toBe(before);
    expect(backups(client)).toEqual([before, after]);
    expect(statSync(pathOf(client)).mode & 0o777).toBe(0o640);
  });

  it('a second run changes nothing; another command changes only the command', async () => {
    write(client, lived(client));
    await done('install', client);
    const once = everything();
    expect(await done('install', client)).toContain('already has this configuration');
    expect(everything()).toEqual(once);
    expect(await json('install', client, '--command', 'tenacitty', '--workspace', 'w')).toMatchObject({
      outcome: 'changed',
      entry: entry('tenacitty', 'mcp', '--workspace', 'w'),
    });
    expect(textOf(client)).not.toContain('main.js');
    await done('uninstall', client);
    expect(textOf(client)).toBe(lived(client));
    expect(await done('uninstall', client)).toContain('nothing to change');
  });

  it('a file that was changed since keeps those changes', async () => {
    write(client, lived(client));
    await done('install', client);
    const change = (text: string) => text.replace(/other/, 'another');
    write(client, change(textOf(client)));
    await done('uninstall', client);
    expect(textOf(client).trimEnd()).toBe(change(lived(client)).trimEnd());
  });
});

/** One for each kind of file. */
describe.each(['claude', 'zed', 'codex'] as const)('with an existing file of %s', (client) => {
  it('a malformed file is reported with the position, and left unchanged', async () => {
    const broken = write(client, client === 'codex' ? 'a = 1\n[b\n' : '{\n  "a": 1\n  "b": 2\n}\n');
    for (const action of ['install', 'uninstall']) {
      const { code, stderr } = await mcp([action, client]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        new RegExp(`^tenacitty: ${pathOf(client)}:(2:3|3:3): it is not (TOML|JSON): .* Nothing was changed.\n$`),
      );
    }
    expect(everything()).toEqual({ [FILES[client]]: broken });
  });

  it('a dry run shows a diff and writes nothing', async () => {
    const before = write(client, lived(client));
    const { code, stdout, stderr } = await mcp(['install', client, '--dry-run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('dry run') });
    expect(stdout).toMatch(new RegExp(`^--- ${pathOf(client)}\n\\+\\+\\+ ${pathOf(client)}\n@@ -`));
    expect(stdout).toContain(`+`);
    expect(everything()).toEqual({ [FILES[client]]: before });
    const fresh = await json('install', client, '--dry-run', '--file', 'new');
    expect(fresh).toMatchObject({ dryRun: true, backup: null, diff: expect.stringMatching(/^--- \/dev\/null\n/) });
    expect(everything()).toEqual({ [FILES[client]]: before });
  });

  it('a link is followed and stays a link', async () => {
    const target = join(home, 'dotfiles-of-mine');
    writeFileSync(target, lived(client));
    mkdirSync(dirname(pathOf(client)), { recursive: true });
    symlinkSync(target, pathOf(client));
    expect(await json('install', client)).toMatchObject({ file: target });
    expect(lstatSync(pathOf(client)).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('tenacitty');
    expect(readdirSync(home).filter((name) => name.startsWith('dotfiles-of-mine.'))).toHaveLength(1);
    await done('uninstall', client);
    expect(readFileSync(target, 'utf8')).toBe(lived(client));
  });

  it('a read-only file is left unchanged', async () => {
    const before = write(client, lived(client));
    chmodSync(pathOf(client), 0o444);
    const { code, stderr } = await mcp(['install', client]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is read-only') });
    expect(everything()).toEqual({ [FILES[client]]: before });
  });
});

describe('for a project', () => {
  it.each([
    ['claude', '.mcp.json', 'mcpServers'],
    ['cursor', '.cursor/mcp.json', 'mcpServers'],
    ['vscode', '.vscode/mcp.json', 'servers'],
    ['codex', '.codex/config.toml', 'mcp_servers'],
    ['gemini', '.gemini/settings.json', 'mcpServers'],
    ['zed', '.zed/settings.json', 'context_servers'],
    ['opencode', 'opencode.json', 'mcp'],
  ])('%s has it in %s, readable for all', async (client, path, container) => {
    const { file } = await json('install', client, '--project', '--command', 'tenacitty');
    expect(file).toBe(join(home, path));
    expect(readFileSync(join(home, path), 'utf8')).toContain(container);
    expect(statSync(join(home, path)).mode & 0o777).toBe(0o644);
    expect(await json('uninstall', client, '--project')).toMatchObject({ isRemoved: true });
  });

  it.each(['claude-desktop', 'windsurf'])('%s has no such file for a project', async (client) => {
    const { code, stderr } = await mcp(['install', client, '--project']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('has no project configuration'),
    });
  });
});

describe('the installed command', () => {
  it('contains directories other than the default ones, but not in shared files', async () => {
    const env = { TENACITTY_DATA_DIR: join(home, 'd'), XDG_RUNTIME_DIR: join(home, 'r') };
    const runtime = `--runtime-dir=${join(home, 'r', 'tenacitty')}`;
    const entry = async (...words: string[]) => {
      const { stdout } = await mcp(['install', 'cursor', '--json', '--dry-run', ...words], env);
      return (JSON.parse(stdout) as { entry: { args: string[] } }).entry.args.slice(1);
    };
    expect(await entry()).toEqual(['mcp', `--data-dir=${join(home, 'd')}`, runtime]);
    expect(await entry('--project')).toEqual(['mcp']);
    expect(await entry('--data-dir', 'e', '--max-terminals', '5')).toEqual([
      'mcp',
      `--data-dir=${join(home, 'e')}`,
      '--max-terminals=5',
      runtime,
    ]);
  });

  it('starts in any directory, with almost no environment, and speaks the protocol', async () => {
    const { entry } = await json('install', 'cursor');
    const { command, args } = entry as { command: string; args: string[] };
    const server = new RunningCommand([command, ...args], '/', { HOME: home });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    server.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await server.says(/"serverInfo":\{"name":"tenacitty"/);
    server.child.stdin!.end();
    expect(await server.ended()).toMatchObject({ code: 0, stderr: '' });
  });

  it('is the one given by --command, under the name given by --name', async () => {
    write('cursor', lived('cursor'));
    await done('install', 'cursor', '--command', 'tenacitty', '--name', 'my-terminals');
    expect(textOf('cursor')).toMatch(
      /"my-terminals": \{\s*"type": "stdio",\s*"command": "tenacitty",\s*"args": \[\s*"mcp"\s*\]/,
    );
    expect(await done('uninstall', 'cursor')).toContain('has no server named tenacitty');
    await done('uninstall', 'cursor', '--name', 'my-terminals');
    expect(textOf('cursor')).toBe(lived('cursor'));
  });

  it('does not replace another server', async () => {
    const before = write('cursor', '{"mcpServers": {"other": {"command": "x"}}}');
    for (const action of ['install', 'uninstall']) {
      const { code, stderr } = await mcp([action, 'cursor', '--name', 'other']);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/has another server named other/),
      });
    }
    expect(textOf('cursor')).toBe(before);
  });
});

describe('unusual files', () => {
  it('keep their byte order mark', async () => {
    write('vscode', '\uFEFF{"servers": {"a": 1}}');
    await done('install', 'vscode');
    expect(textOf('vscode')).toMatch(/^\uFEFF\{"servers": \{"tenacitty"/);
    await done('uninstall', 'vscode');
    expect(textOf('vscode')).toBe('\uFEFF{"servers": {"a": 1}}');
  });

  it('are refused if they are not UTF-8, not regular files, or links without a target', async () => {
    mkdirSync(join(home, '.cursor'));
    writeFileSync(pathOf('cursor'), Buffer.from('{"a": "\xE9"}', 'latin1'));
    symlinkSync('nowhere', pathOf('claude'));
    mkdirSync(pathOf('codex'), { recursive: true });
    const results = await Promise.all(
      (['cursor', 'claude', 'codex'] as const).map((client) => mcp(['install', client])),
    );
    expect(results.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(results[0]!.stderr).toContain('is not valid UTF-8');
    expect(results[1]!.stderr).toContain('is a link whose target does not exist');
    expect(results[2]!.stderr).toContain('is not a file');
  });

  it('are reported if they cannot exist: below a file, or in a place where the system allows none', async () => {
    writeFileSync(join(home, '.cursor'), 'a file');
    const below = await mcp(['install', 'cursor']);
    expect(below).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot be read: ENOTDIR.*\n$/) });
    const nowhere = await mcp(['install', 'cursor', '--file', '/proc/nowhere/x']);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot be written: E.*\n$/) });
  });
});

describe('arguments', () => {
  it.each([
    [['install'], /CLIENT is missing: mcp install needs one of claude, claude-desktop/],
    [['install', 'curser'], /Unknown client curser; .* Did you mean cursor\?/],
    [['instal', 'cursor'], /Unknown mcp command instal. Did you mean install\?/],
    [['install', 'cursor', 'x'], /Unexpected argument/],
    [['install', 'cursor', '--npx'], /Unknown flag --npx/],
    [['install', 'cursor', '--name', 'a b'], /--name: expected at most 64 letters, digits/],
    [['--dry-run'], /--dry-run applies only to mcp install/],
  ])('%j are usage errors', async (words, message) => {
    const { code, stderr } = await mcp(words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(everything()).toEqual({});
  });
});
