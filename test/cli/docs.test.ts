/** Tests that docs/cli.md matches the table, and that every example in the table works. */
import { readFileSync } from 'node:fs';
import { withCommands } from '../../scripts/docs/cli-page.js';
import { EXAMPLES } from '../../src/cli/help-text.js';
import { commandsOf } from '../../src/cli/command.js';
import { GROUPS } from '../../src/cli/table.js';
import { DEEP } from '../deep.js';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

const COMMANDS = commandsOf(GROUPS);
const document = readFileSync('docs/cli.md', 'utf8');

it('is what `npm run docs` writes from the table of commands', () => {
  expect(withCommands(document, GROUPS)).toBe(document);
});

it('shows commands exactly as they must be typed', () => {
  expect(document).toContain('add  source <(tenacitty completion bash)  to ~/.bashrc.');
  expect(document).toContain('tenacitty completion fish > ~/.config');
  const prose = withCommands(document, [
    { title: 'Odd', commands: [{ ...COMMANDS[0]!, summary: 's', description: ['a <b> \\< \\ c'] }] },
  ]);
  expect(prose).toContain('a \\<b> \\\\< \\ c');
});

it('contains a heading for every command', () => {
  const headings = [...document.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(COMMANDS.map(({ name }) => name));
});

/** Tested separately: the first does not end, the second needs a server, the next two a person, the last an agent. */
const LIVING_ON = ['serve', 'open', 'attach', 'kill-server', 'acp'];
/** These wait for the end of a program, or need an ended one. */
const OF_ENDED = ['logs', 'wait'];
/** These need shell integration and a command that was run there. */
const OF_COMMANDS = ['exec', 'commands', 'interrupt'];

describe('every example', () => {
  let place: Place;
  beforeEach(async () => (place = await sharedPlace()));
  afterEach(() => place.clear());

  const examples = [...COMMANDS.flatMap((command) => command.examples), ...EXAMPLES].map(({ line }) => line);
  const wordOf = (line: string) => /tenacitty ([a-z-]+)/.exec(line)?.[1] ?? '';
  const tried = [...new Set(examples)].filter(
    (line) => !LIVING_ON.includes(wordOf(line)) && !line.includes('--attach'),
  );

  // Each starts one or more processes, so a normal run tries a third and the deep run all.
  it.each(tried.filter((_line, index) => DEEP || index % 3 === 0))('works: %s', async (line) => {
    const id = await terminalFor(line);
    if (line.includes('key revoke')) await haveKey('laptop');
    const { code, stderr } = await place.runInShell(`tenacitty() { ${NODE} "$@"; }; ID=${id}; ${line}`);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });

  const NODE = '"$node" "$main"';

  /** Keys persist from one example to the next; each name must be unique. */
  async function haveKey(name: string): Promise<void> {
    const keys = JSON.parse(await place.stdout('key', 'list', '--json')) as { name: string }[];
    if (!keys.some((key) => key.name === name)) await place.stdout('key', 'create', '--name', name);
  }

  async function terminalFor(line: string): Promise<string> {
    const word = wordOf(line);
    if (OF_ENDED.includes(word) && !line.includes('--idle')) return endedTerminal();
    if (!OF_COMMANDS.includes(word)) return place.open('exec sh');
    const id = (await place.stdout('new', '--shell', 'bash')).trim();
    await place.stdout('exec', id, 'true');
    return id;
  }

  async function endedTerminal(): Promise<string> {
    const id = (await place.stdout('new', '--', 'echo', 'hello')).trim();
    await place.run('wait', id);
    return id;
  }

  it('exists in sufficient number', () => expect(tried.length).toBeGreaterThan(COMMANDS.length));
});
