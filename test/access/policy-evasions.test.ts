/**
 * Tests ways around a policy: constructs that make a shell run something that does not appear in the line as a command.
 */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import { outcomesIn, PATH } from './policy-outcome.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-evasions-')));
afterAll(() => rmSync(directory, { recursive: true }));
const { line, outcome, request } = outcomesIn(directory);

describe('a policy', () => {
  const allow = { allow: ['npm', 'git'] };

  it.each([
    ['git log \\\n # x\necho --output=f'],
    ['git log \\\n\\\n\t# x\ntrue -x'],
    ["printf -v 'BASH_CMDS[ls]' %s /bin/touch"],
    ["builtin printf -v 'BASH_CMDS[ls]' %s x"],
    ['printf -v $x %s /tmp'],
    ['printf -v "P${x}ATH" %s /tmp'],
    ['printf $(echo -v) x'],
    ['printf {-v,PATH,/tmp}'],
    ['printf "$x" y'],
    ['printf abc%n PATH'],
    ["read 'a[x]'"],
    ["declare 'a[x]=1'"],
    ['export "$x"'],
    ["x='1 PATH=/tmp'; \\export A=$x"],
    ['unset "$x"'],
    ['wait "$x"'],
    ['wait -p x'],
    ['jobs -x touch f'],
    ['jobs {-x,touch,f}'],
    ['jobs $x'],
    ['set -k'],
    ['set -o keyword'],
    ['set $x'],
    ['bash -k -c "git x"'],
    ['bash -o keyword -c "git x"'],
    ['ksh -c "git x"'],
    ['exec {a[x]}>f'],
    ["RANDOM='a[$(git x)]'"],
    ['OPTIND=$x'],
    ['for HISTCMD in $x; do git y; done'],
    ['read RANDOM'],
    ['declare -n x=PATH'],
    ['[ -v "$x" ]'],
    ['test $x'],
    ['[ "$x" "$y" ]'],
    ['getopts ab "$x"'],
    ['mapfile -C x y'],
    ['xargs -I a -n 1 git x'],
    ['xargs -I a -I b git x'],
    ["x='$(touch${IFS}f)'; git x >&$x"],
    ["git x >&'$(touch f)'"],
    ["declare -a x='($(touch f))'"],
    ['local x="$y"'],
    ['read -aPATH'],
    ["export 'PATH+=:/tmp'"],
    ['unset PATH'],
    ['exec {PATH}>f'],
    ['printf -v PATH %s /tmp'],
    ['printf -vPATH %s /tmp'],
    ['wait -p PATH'],
    ['getopts a PATH'],
    ['export CI=$x'],
    ['[ $? -eq 0 ]'],
    ['exit $x'],
    ['bash -c -l "git x"'],
    ['bash -c "git x" -c'],
    ['bash -ci "git x"'],
    ['find . -execdir git x \\;'],
    ['git x >~/f'],
    ['git x >"$x"'],
    ['git x>f'],
    ['git x {fd}>f'],
    ['git a\\\nb'],
    ['git x # \\\ngit y'],
    ['git \u00a0x'],
    ['git \rx'],
    ['git x;; git y'],
    ['git x |& git y'],
    ['git x && '],
  ])('does not understand %p', async (text) => {
    expect(await line({ ...allow, notUnderstood: 'deny', otherwise: 'allow' }, text)).toBe('notUnderstood: deny');
  });

  it.each([
    ["export 'PATH=/tmp'", 'PATH'],
    ['env -u x PATH=/tmp git x', 'PATH'],
    ['PATH=$x', 'PATH'],
    ['PATH=$(git x)', 'PATH'],
    ["MAILPATH='f?$(git x)'", 'MAILPATH'],
  ])('does not let %p set %s', async (text, name) => {
    expect(await line(allow, text)).toBe(`environment: ${name}`);
  });

  it.each([
    ['[ "$x" = y ] && [ -n "$x" ] && [ ! -f "$x" ]'],
    ['test -d src || git x'],
    ['git x &\ngit y'],
    ['set -euo pipefail; git x'],
    ['printf "%s\\n" "$x" $y'],
    ['echo $? "${x}" *'],
    ["export CI=1 PORT='3000'"],
    ['bash -euo pipefail -c "git x"'],
    ['bash --login -c "git x"'],
    ['git x || exit 1'],
    ['git x >&2 2>&1 > f.log'],
    ['n=1 m="$x"; git x "$n"'],
    ['time git x'],
    ['nice -n 5 env -u A timeout -k 1 9 git x'],
    ['git ls-files | xargs -n1 -P 4 git add'],
  ])('understands %p', async (text) => {
    expect(await line(allow, text)).toBe('allowed');
  });

  it.each([
    ["printf -v 'functions[ls]' 'touch f'"],
    ['return "$x"'],
    ['shift "$x"'],
    ['[ -t "$x" ]'],
    ['[ -t x ]'],
    ['[[ ! -t x ]]'],
    ['printf %d "$x"'],
    ['SECONDS=$x'],
    ['COLUMNS=$x'],
    ['set -A path /tmp'],
    ['options=(globsubst on)'],
    ['echo $#y[x]'],
    ['echo "$#@[x]"'],
    ['ls > $#y[x]'],
    ['for i in $#?[x]; do ls; done'],
    ['< file'],
    ['> file'],
    ['ls; x=1 <file'],
  ])('does not understand %p of zsh', async (text) => {
    const rules = { ...allow, notUnderstood: 'deny', otherwise: 'allow' } as const;
    expect(await line(rules, text, { shell: '/usr/bin/zsh' })).toBe('notUnderstood: deny');
  });

  it.each([["NULLCMD='git x'"], ['READNULLCMD=git'], ["STTY='; git x'"]])('does not let zsh set %p', async (text) => {
    expect(await line(allow, text, { shell: '/usr/bin/zsh' })).toMatch(/^environment: /);
  });

  it('analyses find only if everything that could start a program is known', async () => {
    const withFind = { allow: ['git', 'find', 'xargs', 'ls'] };
    const lines = ['. -e${x}xec touch f \\;', '$x', '"$x"', '. -name $x', '. -exec git "$x" \\;', '. -foo -name "$x"'];
    for (const one of lines) expect([one, await line(withFind, `find ${one}`)]).toEqual([one, 'notUnderstood: deny']);
    expect(await line(withFind, 'git x | xargs -0 find .')).toBe('notUnderstood: deny');
    expect(await line(withFind, 'git x | xargs -I{} find {}')).toBe('notUnderstood: deny');
    expect(await line(withFind, "find . -name '*.c' -newer x -exec git add {} +")).toBe('allowed');
    expect(await line(withFind, 'find . -exec git + -exec touch f \\;')).toBe('otherwise: deny');
  });

  it('treats `time --` like `time`', async () => {
    expect(await line({ deny: ['touch'] }, 'time -- touch f')).toBe('deny: touch');
    expect(await line({ deny: ['touch'] }, 'time -p -- touch f')).toBe('deny: touch');
    for (const shell of ['/bin/dash', '/bin/bash', '/bin/zsh']) {
      expect(await line({ deny: ['touch'] }, 'time -o f touch f', { shell })).toBe('notUnderstood: ask');
    }
    const posix = `bash --posix -c 'time -o f touch f'`;
    expect(await line({ deny: ['touch'] }, posix)).toBe('notUnderstood: ask');
    expect(await line(allow, 'POSIXLY_CORRECT=1; git x')).toBe('environment: POSIXLY_CORRECT');
  });

  it('does not resolve a relative path against the first directory after the line changes it', async () => {
    const own = { allow: [join(directory, 'tool')] };
    copyFileSync('/bin/true', join(directory, 'tool'));
    expect(await line(own, './tool x')).toBe('allowed');
    expect(await line(own, 'cd /tmp; ./tool x')).toBe('otherwise: deny');
    expect(await line(own, 'env -C /tmp ./tool x')).toBe('notUnderstood: deny');
    expect(await line(own, `cd /tmp; ${directory}/tool x`)).toBe('allowed');
  });

  it('finds programs where the shell finds them when it allows them', async () => {
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    symlinkSync('/bin/rm', join(bin, 'harmless'));
    copyFileSync('/bin/true', join(bin, 'bash'));
    const drops = { deny: ['rm'], environment: { others: 'drop' as const } };
    const asked = request('harmless', ['x'], { env: { PATH: '/nonexistent' } });
    // PATH is not passed on.
    expect(await outcome(drops, asked, { path: bin })).toBe('deny: rm');
    const letsPath = { allow: ['git'], environment: { allow: ['PATH'] } };
    const env = { PATH: `${bin}:${PATH}` };
    expect(await outcome(letsPath, request('git x', null, { env: { PATH } }))).toBe('allowed');
    expect(await outcome(letsPath, request('git x', null, { env }))).toBe('notUnderstood: deny');
  });

  it('does not trust the directories that npm adds to the PATH', async () => {
    const bin = join(directory, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    copyFileSync('/bin/true', join(bin, 'git'));
    const { PATH: path, npm_execpath: npm } = process.env;
    Object.assign(process.env, { PATH: `${bin}:${PATH}`, npm_execpath: '/npm' });
    try {
      const policy = createCommandPolicy(allow);
      await expect(policy.permit(request('node_modules/.bin/git', ['x']))).rejects.toThrow(/no rule matches/);
      await expect(policy.permit(request('git', ['x']))).resolves.toMatchObject({ env: {} });
    } finally {
      Object.assign(process.env, { PATH: path, npm_execpath: npm });
      if (npm === undefined) delete process.env['npm_execpath'];
    }
  });

  it('does not analyse a line for a shell or REPL within a command, but finds denied programs in it', async () => {
    const within = { isWithin: true };
    expect(await line(allow, 'git status', within)).toBe('notUnderstood: deny');
    expect(await line({ deny: ['rm'], notUnderstood: 'allow' }, 'git x', within)).toBe('allowed');
    expect(await line({ deny: ['rm'], notUnderstood: 'allow' }, 'rm x', within)).toBe('deny: rm');
  });
});
