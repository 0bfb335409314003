/** Tests the help: the overview and each command, the messages for mistakes, and how little it loads. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD, sourcesOf } from '../build.js';
import { commandsOf } from '../../src/cli/command.js';
import { EXIT_CODES } from '../../src/cli/exit-code.js';
import { GROUPS } from '../../src/cli/table.js';
import { flagName } from '../../src/cli/flag.js';
import { flagOf, SETTING_NAMES } from '../../src/config/settings.js';
import { Place, shortlyNamed } from './place.js';

const COMMANDS = commandsOf(GROUPS);
const ROOT = join(import.meta.dirname, '..', '..');
const SRC = join(ROOT, 'src');

let place: Place;
beforeAll(async () => void (place = await new Place().ready()));
afterAll(() => place.close());

const NAMES = COMMANDS.map(({ name }) => name);

function widthOf(text: string): number {
  return Math.max(...text.split(/\r?\n/).map((line) => line.length));
}

describe('tenacitty help', () => {
  it.each([['--help'], ['-h'], ['help']])('names every command on a screen of 80x24 for %s', async (word) => {
    const { code, stdout, stderr } = await place.run(word);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`(^|[ ,])${name}([ ,]|$)`, 'm'));
    // One row is left for the prompt.
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(24);
    expect(widthOf(stdout)).toBeLessThanOrEqual(80);
  });

  it('describes every command for help all', async () => {
    const text = await place.stdout('help', 'all');
    const inOneLine = text.replace(/\s+/g, ' ');
    for (const { name, summary } of COMMANDS) expect(inOneLine).toContain(` ${name} ${summary}`);
    for (const [code, meaning] of EXIT_CODES) expect(inOneLine).toContain(` ${code} ${meaning.replaceAll('`', '')}`);
    for (const part of ['Examples:', 'NO_COLOR']) expect(text).toContain(part);
    expect(widthOf(text)).toBeLessThanOrEqual(80);
  });

  it('fits the width of the terminal', async () => {
    const person = place.inTerminal(['help', 'logs']);
    await person.closed;
    expect(person.output).toContain('Usage: tenacitty logs');
    expect(widthOf(person.output)).toBeLessThanOrEqual(80);
  });

  it.each(NAMES)('explains %s, with its flags and examples', async (name) => {
    const command = COMMANDS.find((candidate) => candidate.name === name)!;
    const text = await place.stdout('help', name);
    for (const key of Object.keys(command.flags)) expect(text).toContain(flagName(key));
    for (const { line } of command.examples) expect(text).toContain(line);
  });

  it('is the same after a command, whatever other words are given', async () => {
    const text = await place.stdout('help', 'logs');
    expect(await place.stdout('logs', '--help')).toBe(text);
    expect(await place.stdout('logs', '--unknown', '-h')).toBe(text);
  });

  it('explains each action of acp by itself, with its own flags', async () => {
    const run = await place.stdout('help', 'acp', 'run');
    expect(run).toContain('Usage: tenacitty acp run [flags] [-- COMMAND…]\n');
    for (const flag of ['--prompt', '--timeout', '--mcp']) expect(run).toContain(`  ${flag}`);
    for (const other of ['--force', '--raw-updates', 'acp proxy']) expect(run).not.toContain(other);
    expect(await place.stdout('acp', 'run', '--help')).toBe(run);
    expect(await place.stdout('acp', 'proxy', '--mcp', '-h')).toBe(await place.stdout('help', 'acp', 'proxy'));
    expect(await place.stdout('acp', '--help')).toContain('--raw-updates');
  });

  it('lists every setting for serve', async () => {
    const text = await place.stdout('serve', '--help');
    for (const name of SETTING_NAMES) expect(text).toContain(`${flagOf(name)}  (${name})`);
  });

  it.each(
    [['--help'], ['logs', '--help'], ['completion', 'bash'], ['version']].map((words) => [words.join(' '), words]),
  )('loads neither engine nor contract nor any package for %s', async (name, words) => {
    const loaded = await loadedBy(name, words);
    expect(loaded.some((path) => path.endsWith('/src/cli/table.ts'))).toBe(true);
    expect(loaded.filter((path) => /\/node_modules\/|\/src\/(?!cli\/|[a-z0-9-]+\.ts$)/.test(path))).toEqual([]);
    expect(loaded.filter((path) => /\/src\/(engine|server|log|config|check)\.ts$/.test(path))).toEqual([]);
  });

  /**
   * Returns the sources that an unmodified process has loaded, from its coverage report and the source maps. In a
   * bundle, a module that is loaded on demand is a function with its path as name.
   */
  async function loadedBy(name: string, words: readonly string[]): Promise<string[]> {
    const directory = join(place.directory, name.replaceAll(' ', '-'));
    mkdirSync(directory);
    await place.start(words, { env: { NODE_V8_COVERAGE: directory } }).ended();
    const [report] = readdirSync(directory);
    const { result } = JSON.parse(readFileSync(join(directory, report!), 'utf8')) as { result: LoadedScript[] };
    return result.filter(({ url }) => /^file:|\.cjs$/.test(url)).flatMap(loadedSources);
  }

  function loadedSources({ url, functions }: LoadedScript): string[] {
    const onDemand = functions.filter(({ functionName }) => functionName.includes('/'));
    const loaded = onDemand.filter(({ ranges }) => ranges[0]!.count > 0).map(({ functionName }) => `/${functionName}`);
    const all = sourcesOf(url.startsWith('file:') ? fileURLToPath(url) : url);
    const own = all.filter((source) => source.startsWith(SRC) || BUILD !== join(ROOT, 'dist'));
    return [...loaded, ...own.filter((path) => !onDemand.some(({ functionName }) => path.endsWith(functionName)))];
  }
});

/** Part of a report of V8's coverage. */
interface LoadedScript {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

describe('errors', () => {
  it.each([
    [['attch'], 'Unknown command attch. Did you mean attach?'],
    [['lgos'], 'Unknown command lgos. Did you mean logs?'],
    [['start'], 'Unknown command start. Did you mean serve?'],
    [['a'], 'Unknown command a. Did you mean attach?'],
    [['new-session'], 'Unknown command new-session. Did you mean new?'],
    [['bogus'], 'Unknown command bogus. See tenacitty help'],
    [['toString'], 'Unknown command toString. See tenacitty help'],
    [['help', 'lst'], 'Unknown command lst. Did you mean ls?'],
    [['logs', '--folow', 'x'], 'Unknown flag --folow. Did you mean --follow? See tenacitty help logs.'],
    [['ls', '--data-dri', 'x'], 'Unknown flag --data-dri. Did you mean --data-dir?'],
    [['help', 'logs', 'more'], 'Unexpected argument "more".'],
    [['help', 'acp', 'rum'], 'Unknown acp command rum. Did you mean run?'],
    [['acp', 'run', './a.mjs', '--acp'], 'Give the program to start after --: tenacitty acp run -- ./a.mjs --acp.'],
    [['acp', 'proxy', './my agent'], "after --: tenacitty acp proxy -- './my agent'."],
    [['acp', 'run', './a.mjs', '--', 'x'], 'Unexpected argument "./a.mjs".'],
    [['ls', '--json', '-q'], 'Give either --json or --quiet. See tenacitty help ls.'],
    [['ls', '--json', '--names'], 'Give either --json or --names.'],
    [['screen', '--png', 'x', '--json', 'x'], 'Give either --png or --json.'],
    [['exec', '-d', '--format', 'raw', 'x', 'ls'], 'Give either --detach or --format.'],
    [['kill', '--label', 'a=b', '--all'], 'Give either --label or --all.'],
    [['new', '--attach', '--json'], 'Give either --attach or --json.'],
    [['logs'], 'ID is missing. See tenacitty help logs.'],
    [['logs', 'one', 'two'], 'Unexpected argument "two".'],
    [['logs', '--tail'], '--tail needs a value: a whole number.'],
    [['acp', 'run', '--prompt', '--', 'node'], '--prompt needs a value'],
    [['logs', '--tail', 'ten', 'x'], '--tail: expected a whole number, given "ten".'],
    [['logs', '--follow=yes', 'x'], '--follow takes no value.'],
    [['run'], 'PROGRAM is missing.'],
    [['new', '--env', 'NAME'], '--env: expected NAME=VALUE, given "NAME".'],
    [['attach', '--detach-key', 'q', 'x'], '--detach-key: expected ctrl- followed by a letter'],
    [['kill'], 'ID is missing.'],
    [['kill', '--all', 'x'], 'Give either IDs or --all.'],
    [['kill', '--signal', 'WINCH', 'x'], '--signal: expected one of SIGHUP'],
    [['wait', '--timeout', '5', 'x'], '--timeout: expected a duration such as 500ms'],
    [['ls', '--max-terminals', 'many'], 'TENACITTY_MAX_TERMINALS is "many" (flag --max-terminals)'],
    [['new', '--cwd', '/none/such'], '/none/such'],
  ])('are reported in words, with exit code 2: %j', async (words, message) => {
    const { code, stdout, stderr } = await place.run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(shortlyNamed(stderr)).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  const EVIL = '\x1b]0;title\x07\x1b[31m\u009b31m\u202e\x7f\nforged';
  it.each([
    [EVIL],
    ['ls', `--${EVIL}`],
    ['mcp', 'install', EVIL],
    ['mcp', EVIL],
    ['logs', EVIL],
    ['logs', '--tail', EVIL, 'x'],
    ['new', '--cwd', `/none/${EVIL}`],
  ])('are reported without any effect of control characters in them: %#', async (...words) => {
    const { code, stderr } = await place.run(...words);
    expect(code).not.toBe(0);
    expect(stderr).toContain('forged');
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(stderr).not.toMatch(/^forged/m);
  });

  it('of a full disk are reported, with exit code 1', async () => {
    const { code, stderr } = await place.runInShell('"$@" help > /dev/full');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot write to stdout: ') });
  });

  it('are not reported if stdout is closed immediately', async () => {
    const { stdout, stderr } = await place.runInShell('"$@" help | head -1; exit 0');
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^tenacitty .*\n$/), stderr: '' });
  });
});
