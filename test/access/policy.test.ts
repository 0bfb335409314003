/** Tests what a policy allows and denies according to its description, with the real disk. */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalRequest } from '../../src/access/policy/command-policy.js';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import type { PolicyOptions } from '../../src/access/policy/create-command-policy.js';
import type { CommandPolicyDescription } from '../../src/access/policy/policy-description.js';
import type { TerminalError } from '../../src/errors.js';
import { outcomesIn, PATH } from './policy-outcome.js';

const SEED_ALLOWED = ['npm', 'npx', 'node', 'git', 'tsc', 'eslint', 'prettier'];
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-policy-')));
afterAll(() => rmSync(directory, { recursive: true }));

const { request, outcome, line } = outcomesIn(directory);

describe('a policy with an allow list', () => {
  const allow = { allow: SEED_ALLOWED };

  it.each<[string, { allow: string[] }?]>([
    ['git status'],
    ['cd src && git diff | git apply'],
    ['bash -lc "npm test"'],
    ['timeout 10 npm test > out.txt 2>&1'],
    ['NODE_ENV=test npm test'],
    ['git commit -m "a; rm -rf / && b"'],
    ["git commit -m '$(rm -rf /)'"],
    ['git diff HEAD~1 HEAD^ -- "src/$name" *.ts \\\n --stat'],
    ['[ -f package.json ] && npm ci # rm'],
    ['# first\ngit add a && # then\ngit commit -m "it\'s done!"\n\n'],
    ['git log > "out file" 2>&1 & npm test >>out </dev/null'],
    ["find . -name '*.ts' -exec git add {} +", { allow: ['find'] }],
    [''],
  ])('allows %p', async (text, more = { allow: [] }) => {
    expect(await line({ allow: [...allow.allow, ...more.allow] }, text)).toBe('allowed');
  });

  it.each([
    ['rm -rf /', 'otherwise: deny'],
    ['git status; rm x', 'otherwise: deny'],
    ['git status & rm x', 'otherwise: deny'],
    ['git status\nrm x', 'otherwise: deny'],
    ['git status || rm x', 'otherwise: deny'],
    ['git log | xargs rm', 'otherwise: deny'],
    ['git log $(rm x)', 'notUnderstood: deny'],
    ['git log "`rm x`"', 'notUnderstood: deny'],
    ['git log <(rm x)', 'notUnderstood: deny'],
    ['git log ${x:-$(rm x)}', 'notUnderstood: deny'],
    ['git apply <<E\n$(rm x)\nE', 'notUnderstood: deny'],
    ['f() { rm x; }', 'notUnderstood: deny'],
    ['if git x; then rm x; fi', 'notUnderstood: deny'],
    ['case a in a) rm x;; esac', 'notUnderstood: deny'],
    ['bash -c "git x; rm x"', 'otherwise: deny'],
    ['env -u A CI=1 nohup nice -n 5 timeout -k 1 9 rm x', 'otherwise: deny'],
    ['command rm x', 'notUnderstood: deny'],
    ['exec rm x', 'notUnderstood: deny'],
    ['sudo git status', 'otherwise: deny'],
    ['find . -exec rm {} +', 'otherwise: deny'],
    ['/tmp/git status', 'otherwise: deny'],
    ['./git status', 'otherwise: deny'],
    ["r'm' x", 'otherwise: deny'],
    ["$'\\x72m' x", 'notUnderstood: deny'],
    ['python3 -c 1', 'otherwise: deny'],
    ['eval "git x"', 'notUnderstood: deny'],
    ['$x', 'notUnderstood: deny'],
    ['"$(git x)" y', 'notUnderstood: deny'],
    ['/usr/bin/g?t', 'notUnderstood: deny'],
    ['{rm,x}', 'notUnderstood: deny'],
    ["alias git='rm x'", 'notUnderstood: deny'],
    ["trap 'rm x' EXIT", 'notUnderstood: deny'],
    ['. ./x', 'notUnderstood: deny'],
    ['git "unbalanced', 'notUnderstood: deny'],
    ['git $((x))', 'notUnderstood: deny'],
    ['git ${x@P}', 'notUnderstood: deny'],
    ['hash -p /tmp/x git', 'notUnderstood: deny'],
    ['git x | bash', 'otherwise: deny'],
    ['env -S "rm x"', 'notUnderstood: deny'],
    ['LD_PRELOAD=/tmp/x.so git status', 'environment: LD_PRELOAD'],
    ['export PATH=/tmp:$PATH', 'notUnderstood: deny'],
    ['PATH=/tmp git x', 'environment: PATH'],
    ['env PATH=/tmp git x', 'environment: PATH'],
    ['for PATH in /tmp; do git x; done', 'notUnderstood: deny'],
    ['read PATH < x', 'notUnderstood: deny'],
    ["PS1='$(rm x)'", 'environment: PS1'],
    ['PROMPT_COMMAND="rm x"', 'environment: PROMPT_COMMAND'],
    ['GIT_TEST_FSMONITOR=./x git status', 'environment: GIT_TEST_FSMONITOR'],
    ['FILES=x; git add $FILES', 'environment: FILES'],
    ['export x=1; git x', 'environment: x'],
    ['x=1; declare -x x; git x', 'notUnderstood: deny'],
    ['x=1 git x', 'environment: x'],
    ["debian_chroot='$(rm x)'", 'environment: debian_chroot'],
    ['npm_config_script_shell=./x; git x', 'environment: npm_config_script_shell'],
    ['__tenacitty_turn=x; git x', 'environment: __tenacitty_turn'],
    ['set -a; x=1; git x', 'notUnderstood: deny'],
  ])('does not allow %p: %s', async (text, rule) => {
    expect(await line(allow, text)).toBe(rule);
  });

  it.each(['bash', 'sh', 'dash', 'zsh', 'mksh', 'fish'])(
    'understands for %s only what all shells parse alike',
    async (name) => {
      const shell = `/usr/bin/${name}`;
      expect(await line(allow, 'git status', { shell })).toBe('allowed');
      const others = [
        '=git x',
        "git $'a'",
        "git 'a\\\\'",
        "git 'a''b'",
        'git \\n',
        'git a&b',
        'git (a)',
        'git $x[1]',
        'git &>f',
      ];
      for (const text of others)
        expect([text, await line(allow, text, { shell })]).toEqual([text, 'notUnderstood: deny']);
    },
  );

  it.each(['ksh', 'csh', 'nu', 'python3'])('does not understand a line for %s', async (name) => {
    expect(await line(allow, 'git status', { shell: `/usr/bin/${name}` })).toBe('notUnderstood: deny');
  });

  it('does not take the name of a directory for that of a program, because some shells change to it', async () => {
    mkdirSync(join(directory, 'sub'));
    for (const text of ['sub', './sub', '..', '/', `${directory}/sub/`]) {
      const told = await line({ otherwise: 'allow', notUnderstood: 'deny' }, text);
      expect([text, told]).toEqual([text, 'notUnderstood: deny']);
    }
  });

  it('checks a program with its arguments without a shell in between', async () => {
    expect(await outcome(allow, request('git', ['log', ';', 'rm']))).toBe('allowed');
    expect(await outcome(allow, request('rm', ['x']))).toBe('otherwise: deny');
    expect(await outcome(allow, request('bash', ['-lc', 'git status']))).toBe('allowed');
    expect(await outcome(allow, request('bash', ['-lc', 'rm x']))).toBe('otherwise: deny');
    expect(await outcome(allow, request('env', ['rm', 'x']))).toBe('otherwise: deny');
    expect(await outcome(allow, request('bash', ['script.sh']))).toBe('otherwise: deny');
    expect(await outcome(allow, request('echo', ['x']))).toBe('otherwise: deny');
  });

  it('allows an interactive shell, unless the policy denies it or the shell is not trusted', async () => {
    expect(await outcome(allow, request('bash', ['-l']))).toBe('allowed');
    expect(await outcome({ ...allow, shells: 'deny' }, request('bash', []))).toBe('shells');
    const own = join(directory, 'bash');
    symlinkSync('/bin/bash', own);
    expect(await outcome(allow, request(own, []))).toBe('otherwise: deny');
    expect(await outcome(allow, request(own, []), { shells: [own] })).toBe('allowed');
  });

  it('does not confuse a program with another one of the same name', async () => {
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    copyFileSync('/bin/true', join(bin, 'git'));
    const env = { PATH: `${bin}:${PATH}` };
    const letsPath = { ...allow, environment: { allow: ['PATH'] } };
    expect(await outcome(letsPath, request('git', ['x'], { env }))).toBe('otherwise: deny');
    expect(await outcome(allow, request('git', ['x'], { env }))).toBe('environment: PATH');
    expect(await outcome(allow, request(join(bin, 'git'), ['x']))).toBe('otherwise: deny');
    expect(await outcome({ allow: [join(bin, 'git')] }, request(join(bin, 'git'), ['x']))).toBe('allowed');
    expect(await outcome(letsPath, request('git', ['x'], { env }), { path: env.PATH })).toBe('allowed');
  });
});

describe('a policy with a deny list', () => {
  const deny = { deny: ['rm', 'mkfs*', { program: 'dd', args: ['**', 'of=/dev/*', '**'], because: 'it wipes disks' }] };

  it.each([
    ['ls; /bin/rm x', 'deny: rm'],
    ['mkfs.ext4 /dev/sda', 'deny: mkfs*'],
    ['sudo rm x', 'deny: rm'],
    ['busybox rm x', 'deny: rm'],
    ['dd if=a of=/dev/sda bs=1', 'deny: dd ** of=/dev/* **'],
    ['dd "$x"', 'notUnderstood: ask'],
    ['eval "$x"', 'notUnderstood: ask'],
    ['eval "$x"; rm y', 'deny: rm'],
    ['hash -p /tmp/x git', 'notUnderstood: ask'],
    ['for f in a; do rm x; done', 'deny: rm'],
    ['(cd x && rm y)', 'deny: rm'],
    ['echo "$(rm x)"', 'deny: rm'],
    ['echo `rm x`', 'deny: rm'],
    ['exec rm x', 'deny: rm'],
    ['! rm x', 'deny: rm'],
    ['env --debug rm x', 'deny: rm'],
    ['for f in a; do ls; done', 'notUnderstood: ask'],
    ['cat <<E\nrm x\nE', 'notUnderstood: ask'],
    ['ls # rm x', 'allowed'],
    ['git x | bash', 'notUnderstood: ask'],
    ['dd if=a of=b', 'allowed'],
    ['echo rm -rf /', 'allowed'],
    ['ls "$x" $y *', 'allowed'],
  ])('%p: %s', async (text, expected) => {
    expect(await line(deny, text)).toBe(expected);
  });

  it('recognizes a denied program behind a link', async () => {
    symlinkSync('/bin/rm', join(directory, 'harmless'));
    expect(await line(deny, './harmless x')).toBe('deny: rm');
    expect(await outcome(deny, request('./harmless', ['x']))).toBe('deny: rm');
  });

  it('gives the reason, and what can be done', async () => {
    const policy = createCommandPolicy(deny, { name: '/etc/policy.json' });
    const error = await policy.permit(request('dd', ['of=/dev/sda'])).catch((one: unknown) => one as TerminalError);
    expect(error).toMatchObject({
      code: 'COMMAND_DENIED',
      message: 'dd of=/dev/sda may not be run here (deny: dd ** of=/dev/* **): it wipes disks',
      details: { command: 'dd of=/dev/sda', hint: expect.stringContaining('/etc/policy.json') as string },
    });
  });
});

describe('rules', () => {
  it.each<[string, readonly string[], string]>([
    ['git push **', ['push', '--force'], 'allowed'],
    ['git push **', ['push'], 'allowed'],
    ['git push', ['push', '--force'], 'otherwise: deny'],
    ['git ** --dry-run', ['push', '-v', '--dry-run'], 'allowed'],
    ['git ** --dry-run', ['push', '--dry-run', '-v'], 'otherwise: deny'],
    ['git log -? *', ['log', '-5', 'x'], 'allowed'],
    ['git log -? *', ['log', '-55', 'x'], 'otherwise: deny'],
    ['/usr/bin/git', ['x'], 'allowed'],
    ['/usr/*/git', ['x'], 'allowed'],
    ['/*/git', ['x'], 'otherwise: deny'],
    ['g?t', ['x'], 'allowed'],
  ])('%p refers to git %j: %s', async (rule, args, expected) => {
    expect(await outcome({ allow: [rule] }, request('git', args))).toBe(expected);
  });

  it('are applied by strictness, not by order', async () => {
    const rules = { allow: ['git'], ask: ['git push **'], deny: ['git push ** --force **'] };
    expect(await outcome(rules, request('git', ['pull']))).toBe('allowed');
    expect(await outcome(rules, request('git', ['push']))).toBe('ask: git push **');
    expect(await outcome(rules, request('git', ['push', '--force']))).toBe('deny: git push ** --force **');
    expect(await line(rules, 'git push "$@"')).toBe('notUnderstood: deny');
  });

  it('are refused with their name if they are malformed', () => {
    expect(() => createCommandPolicy({ alow: ['git'] } as CommandPolicyDescription)).toThrow(/alow: is unknown.*allow/);
    expect(() => createCommandPolicy({ allow: [{ program: './git' }] })).toThrow(
      /name without a slash, or a full path/,
    );
    expect(() => createCommandPolicy({ directories: ['src'] })).toThrow(/full path/);
  });
});

describe('a command that needs approval', () => {
  const rules = { allow: ['git'], ask: ['npm publish **'] };
  const publish = request('npm', ['publish', 'a b']);

  it('runs if a person approves it, who is shown the command', async () => {
    const asked: ApprovalRequest[] = [];
    const ask = (one: ApprovalRequest) => Promise.resolve(asked.push(one) > 0);
    expect(await outcome(rules, publish, { ask })).toBe('allowed');
    expect(asked).toEqual([
      { door: 'library', command: "npm publish 'a b'", cwd: directory, env: {}, reason: 'ask: npm publish **' },
    ]);
  });

  it('is shown completely, with its variables, even if the refusal is short', async () => {
    const asked: ApprovalRequest[] = [];
    const ask = (one: ApprovalRequest) => Promise.resolve(asked.push(one) > 2);
    const text = `true; ${'echo a; '.repeat(5000)}\nnpm publish --evil`;
    const args = ['publish', 'x'.repeat(100_000), '--evil'];
    const policy = createCommandPolicy({ ...rules, otherwise: 'allow', environment: { others: 'drop' } }, { ask });
    const env = { npm_config_registry: 'https://evil.example', LD_PRELOAD: 'x' };
    for (const one of [request(text, null, { env, shell: 'bash' }), request('npm', args, { env })]) {
      const error = await policy.permit(one).catch((thrown: unknown) => thrown as TerminalError);
      expect((error as TerminalError).message.length).toBeLessThan(400);
    }
    expect(asked.map(({ command }) => command)).toEqual([text, `npm ${args.join(' ')}`]);
    expect(asked[0]!.env).toEqual({ npm_config_registry: 'https://evil.example' });
  });

  it.each<[string, PolicyOptions]>([
    ['no person is there', {}],
    ['the answer is no', { ask: () => Promise.resolve(false) }],
    ['the request for approval fails', { ask: () => Promise.reject(new Error('gone')) }],
    [
      'the request for approval fails at once',
      {
        ask: () => {
          throw new Error('gone');
        },
      },
    ],
    ['the answer is null', { ask: () => Promise.resolve('yes' as never) }],
  ])('does not run when %s', async (_what, options) => {
    expect(await outcome(rules, publish, options)).toBe('ask: npm publish **');
  });

  it('is withdrawn, with a notification, when no caller waits any more', async () => {
    const caller = new AbortController();
    let told: AbortSignal | undefined;
    const ask = (_request: ApprovalRequest, signal: AbortSignal) => {
      told = signal;
      caller.abort(new Error('left'));
      return new Promise<boolean>(() => {});
    };
    const policy = createCommandPolicy(rules, { ask });
    await expect(policy.permit(publish, caller.signal)).rejects.toThrow('left');
    expect(told?.aborted).toBe(true);
  });

  it('is asked about once for a whole line', async () => {
    let times = 0;
    const ask = () => Promise.resolve(++times > 0);
    const policy = createCommandPolicy(rules, { ask, path: PATH });
    await policy.permit(request('npm publish a; npm publish b', null, { shell: 'bash' }));
    expect(times).toBe(1);
  });
});
