/** Tests the directories, the environment and the form of a request that a policy allows. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import type { CommandPolicyDescription } from '../../src/access/policy/policy-description.js';
import { outcomesIn } from './policy-outcome.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-policy-')));
afterAll(() => rmSync(directory, { recursive: true }));

const { request, outcome, line } = outcomesIn(directory);

describe('allowed directories', () => {
  const inside = join(directory, 'project');
  const outside = join(directory, 'project-of-others');
  const directories = [inside];
  beforeAll(() => {
    mkdirSync(join(inside, 'src'), { recursive: true });
    mkdirSync(outside);
    symlinkSync(outside, join(inside, 'out'));
    symlinkSync('/proc/self/cwd', join(inside, 'self'));
    symlinkSync(inside, join(directory, 'in'));
  });

  it.each([
    ['.', 'allowed'],
    ['src', 'allowed'],
    ['src/..', 'allowed'],
    ['../in/src', 'allowed'],
    ['..', 'INVALID_INPUT'],
    ['../project-of-others', 'INVALID_INPUT'],
    ['src/../..', 'INVALID_INPUT'],
    ['out', 'INVALID_INPUT'],
    ['self', 'INVALID_INPUT'],
    ['no-such', 'INVALID_INPUT'],
  ])('%p within the allowed directory: %s', async (path, expected) => {
    const cwd = `${inside}/${path}`;
    expect(await outcome({ directories }, request('true', [], { cwd }))).toBe(expected);
  });

  it.each([
    ['cd src && ls', 'allowed'],
    ['cd src && cd ./. && ls', 'allowed'],
    // If the first `cd` fails, the second leads outside.
    ['cd src; cd ..', 'directories'],
    ['mkdir -p new && cd new', 'allowed'],
    ['cd ..', 'directories'],
    ['cd src; cd ../..', 'directories'],
    ['cd out', 'directories'],
    ['cd /', 'directories'],
    ['cd -- /', 'directories'],
    ['pushd /', 'notUnderstood: ask'],
    ['cd', 'directories'],
    ['cd -', 'directories'],
    ['cd ~', 'directories'],
    ['cd "$x"', 'directories'],
    ['(cd /; ls)', 'directories'],
    ['command cd /', 'directories'],
    ['env -C / pwd', 'notUnderstood: ask'],
    ['env --chdir=/ pwd', 'notUnderstood: ask'],
    ['env -iC/ pwd', 'notUnderstood: ask'],
    ['env -C src pwd', 'notUnderstood: ask'],
    ['env -C src sh -c "cd ../.."', 'notUnderstood: ask'],
    ['sudo -D / pwd', 'notUnderstood: ask'],
    ['chroot . pwd', 'notUnderstood: ask'],
    ['find . -execdir pwd \\;', 'notUnderstood: ask'],
    ['cd /proc/self/cwd', 'directories'],
    ['cd self', 'directories'],
  ])('of a line %p: %s', async (text, expected) => {
    expect(await line({ directories }, text, { cwd: inside })).toBe(expected);
  });

  it('the first of them is the default', () => {
    const policy = createCommandPolicy({ directories });
    expect(policy.startDirectory('/')).toBe(inside);
    expect(policy.startDirectory(join(inside, 'src'))).toBe(join(inside, 'src'));
  });
});

describe('the environment under an allow list', () => {
  const strict = { allow: ['git'] };

  it.each(['MAILCHECK', 'PS1', 'GIT_TEST_FSMONITOR', 'GIT_CONFIG_COUNT', 'debian_chroot', 'ANYTHING', 'x', 'EDITOR'])(
    'does not contain %s',
    async (name) => {
      expect(await outcome(strict, request('git', ['status'], { env: { [name]: 'x' } }))).toBe(`environment: ${name}`);
    },
  );

  it('contains variables that make no program run anything, and those that the policy names', async () => {
    const env = { CI: '1', NO_COLOR: '1', LANG: 'C.UTF-8', PORT: '3000', PAGER: 'cat', GIT_PAGER: 'cat' };
    expect(await outcome(strict, request('git', ['status'], { env }))).toBe('allowed');
    const named = { ...strict, environment: { allow: ['APP_*'] } };
    expect(await outcome(named, request('git', ['x'], { env: { APP_MODE: 'test' } }))).toBe('allowed');
    expect(await outcome(named, request('git', ['x'], { env: { CI: '1' } }))).toBe('environment: CI');
    expect(await line(named, 'APP_MODE=test git x')).toBe('allowed');
  });

  it('does not restrict the variables of a line', async () => {
    for (const text of ['n=1; git x "$n"', 'a=1 b="$x"; git x']) {
      expect(await line(strict, text)).toBe('allowed');
    }
  });
});

describe('the environment', () => {
  const permit = (environment: CommandPolicyDescription['environment'], env: Record<string, string>) =>
    createCommandPolicy({ environment }).permit(request('true', [], { env }));

  it('is passed as requested, except for variables that make programs run others', async () => {
    expect((await permit({}, { CI: '1' })).env).toEqual({ CI: '1' });
    for (const name of [
      'LD_PRELOAD',
      'BASH_ENV',
      'NODE_OPTIONS',
      'GIT_SSH_COMMAND',
      'GIT_CONFIG_COUNT',
      'BASH_FUNC_ls%%',
    ]) {
      await expect(permit({}, { CI: '1', [name]: 'x' })).rejects.toMatchObject({
        details: { rule: `environment: ${name}` },
      });
    }
  });

  it('is restricted further, or to a list, if the policy says so', async () => {
    expect((await permit({ others: 'drop' }, { CI: '1', LD_PRELOAD: 'x' })).env).toEqual({ CI: '1' });
    expect(
      (await permit({ allow: ['CI', 'NODE_OPTIONS'], others: 'drop' }, { CI: '1', A: '2', NODE_OPTIONS: '3' })).env,
    ).toEqual({ CI: '1', NODE_OPTIONS: '3' });
    await expect(permit({ deny: ['AWS_*'] }, { AWS_KEY: 'x' })).rejects.toMatchObject({ code: 'COMMAND_DENIED' });
  });
});

describe('the request to run a program', () => {
  it.each([
    [request('a\0b'), {}],
    [request('a', ['b\0']), {}],
    [request('true', [], { env: { A: '\0' } }), {}],
    [request('true', ['a', 'b']), { maxArguments: 1 }],
    [request('true', ['ä'.repeat(6)]), { maxArgumentBytes: 10 }],
    [request('true '.repeat(3)), { maxLineBytes: 10 }],
  ])('is checked: %j %j', async (asked, description) => {
    expect(await outcome(description, asked)).toBe('INVALID_INPUT');
  });

  it('is checked in limited time, whatever the patterns are', async () => {
    const rule = { program: '*a*a*a*a*a*b', args: Array.from({ length: 30 }, () => '**').concat('*a*a*a*a*b') };
    const args = Array.from({ length: 2000 }, () => 'a'.repeat(100));
    expect(await outcome({ deny: [rule] }, request('a'.repeat(200), args))).toBe('allowed');
  });
});
