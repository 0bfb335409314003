/** Tests `tenacitty completion` in each installed shell: what it completes with the script. */
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

it('refuses other shells', async () => {
  expect(await place.run('completion', 'csh')).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh') });
});
