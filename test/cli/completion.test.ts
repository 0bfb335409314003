/** Tests `tenacitty completion` in each installed shell: what it completes with the script. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manPage } from '../../scripts/docs/man-page.js';
import { commandsOf } from '../../src/cli/command.js';
import { GROUPS } from '../../src/cli/table.js';
import { flagName } from '../../src/cli/flag.js';
import { Place } from './place.js';

const COMMANDS = commandsOf(GROUPS);

let place: Place;
beforeAll(async () => void (place = await new Place().ready()));
afterAll(() => place.close());

/** Returns bash's completions for these words, the last of which is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `
    tenacitty() { "$node" "$main" "$@"; }
    source <(tenacitty completion bash)
    COMP_WORDS=(tenacitty ${quoted}); COMP_CWORD=${words.length}
    _tenacitty; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { code, stdout, stderr } = await place.runInShell(script);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it('completes commands', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
    expect(await offered('st')).toEqual(['stats']);
    expect(await offered('help', 'at')).toEqual(['attach']);
  });

  it('completes the flags of a command, including settings, and their values', async () => {
    expect(await offered('logs', '--f')).toEqual(['--follow', '--format']);
    expect(await offered('logs', '--data')).toEqual(['--data-dir']);
    expect(await offered('logs', '--format', '')).toEqual(['text', 'ansi', 'raw']);
    expect(await offered('completion', 'z')).toEqual(['zsh']);
    expect(await offered('key', 're')).toEqual(['revoke']);
  });

  it('completes the ids and names of terminals', async () => {
    const id = await place.open('exec cat');
    await place.stdout('rename', id, 'website');
    expect(await offered('attach', 'web')).toEqual(['website']);
    expect(await offered('attach', id.slice(0, 2))).toEqual([id]);
    expect(await offered('new', '--like', id.slice(0, 6))).toEqual([id]);
  });
});

const ZSH = '/usr/bin/zsh';

describe('completion in zsh', () => {
  it('is accepted by zsh', async () => {
    const script = `"$@" completion zsh > script.zsh && ${ZSH} -fc 'autoload -U compinit; compinit -D; source ./script.zsh; whence -w _tenacitty'`;
    expect(await place.runInShell(script)).toEqual({ code: 0, stdout: '_tenacitty: function\n', stderr: '' });
  });
});

describe.each(['bash', 'zsh', 'fish'])('the script for %s', (shell) => {
  it('contains every command and every flag', async () => {
    const script = await place.stdout('completion', shell);
    for (const { name, flags } of COMMANDS) {
      expect(script).toContain(name);
      for (const key of Object.keys(flags)) expect(script).toContain(flagName(key).slice('--'.length));
    }
  });
});

describe('tenacitty completion install', () => {
  it.each([
    ['bash', '.local/share/bash-completion/completions/tenacitty', 'bash-completion'],
    ['zsh', '.local/share/zsh/site-functions/_tenacitty', 'fpath=('],
    ['fish', '.config/fish/completions/tenacitty.fish', 'new shells use it'],
  ])('writes the script for %s, and the manual page', async (shell, file, advice) => {
    const { code, stderr } = await place
      .start(['completion', 'install'], { env: { SHELL: `/usr/bin/${shell}` } })
      .ended();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(advice) });
    expect(readFileSync(join(place.directory, file), 'utf8')).toBe(await place.stdout('completion', shell));
    expect(readFileSync(join(place.directory, '.local/share/man/man1/tenacitty.1'), 'utf8')).toBe(manPage(GROUPS));
  });

  it('makes zsh complete commands, from the first time on', async () => {
    await place.stdout('completion', 'install', 'zsh');
    const directory = join(place.directory, '.local/share/zsh/site-functions');
    const script = `fpath=(${directory} $fpath); autoload -U compinit; compinit -D; whence -w _tenacitty; echo $_comps[tenacitty]`;
    expect(await place.runInShell(`${ZSH} -fc '${script}'`)).toEqual({
      ...{ code: 0, stdout: '_tenacitty: function\n_tenacitty\n', stderr: '' },
    });
  });

  it('refuses an unknown shell, and one too many', async () => {
    const other = await place.start(['completion', 'install'], { env: { SHELL: '/bin/csh' } }).ended();
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('given "csh"') });
    expect((await place.run('completion', 'bash', 'zsh')).code).toBe(2);
  });
});

it('is accompanied by a manual page that `npm run docs` wrote, and that groff formats without warnings', () => {
  expect(readFileSync('docs/tenacitty.1', 'utf8')).toBe(manPage(GROUPS));
  const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-z', 'docs/tenacitty.1'], {
    encoding: 'utf8',
  });
  // Not every machine has groff.
  if (status !== null) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('refuses other shells', async () => {
  expect(await place.run('completion', 'csh')).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh') });
});
