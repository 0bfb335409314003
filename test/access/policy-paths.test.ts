/** Tests that paths are interpreted as the kernel does, not by their text: a policy judges the file that would run. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../src/launch/program.js';
import { outcomesIn, PATH } from './policy-outcome.js';
import { whereLinux } from '../where.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-paths-')));
afterAll(() => rmSync(root, { recursive: true }));
const { request, outcome, line } = outcomesIn(root);
const depth = root.split('/').length;
/** Taken as text, `link` followed by this is the root of the file system; the kernel resolves it back to `root`. */
const ups = '/..'.repeat(depth);

beforeAll(() => {
  const deep = 'd/'.repeat(depth);
  mkdirSync(join(root, deep), { recursive: true });
  symlinkSync(deep, join(root, 'link'));
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  for (const name of ['ls', 'rm']) {
    writeFileSync(join(root, 'usr/bin', name), '#!/bin/sh\necho own\n');
    chmodSync(join(root, 'usr/bin', name), 0o755);
  }
});

describe('a program behind a link and `..`', () => {
  const own = () => `./link${ups}/usr/bin/ls`;

  it('is not the one that the path names as text', async () => {
    expect(join(root, own())).toBe('/usr/bin/ls');
    for (const word of [own(), `${root}/link${ups}/usr/bin/ls`, `.//./link${ups}/usr/./bin//ls`]) {
      expect([word, await line({ allow: ['ls'] }, `${word} x`)]).toEqual([word, 'otherwise: deny']);
      expect([word, await outcome({ allow: ['ls'] }, request(word, ['x']))]).toEqual([word, 'otherwise: deny']);
      expect([word, await outcome({ allow: ['/usr/bin/ls'] }, request(word, ['x']))]).toEqual([
        word,
        'otherwise: deny',
      ]);
    }
    expect(await line({ allow: [join(root, 'usr/bin/ls')] }, own())).toBe('allowed');
  });

  it('is the one that the engine starts', () => {
    for (const program of [own(), `${root}/link${ups}/usr/bin/ls`]) {
      expect(findProgram(program, { cwd: root, path: PATH })).toEqual({ file: join(root, 'usr/bin/ls') });
    }
    expect(findProgram('ls', { cwd: root, path: `link${ups}/usr/bin:${PATH}` })).toEqual({
      file: join(root, 'usr/bin/ls'),
    });
    expect(findProgram('./none/../usr/bin/ls', { cwd: root, path: PATH })).toHaveProperty('refusal');
  });

  it('is also found by the way back to the intended file', async () => {
    expect(await line({ allow: ['ls'] }, `./link/..${ups}/usr/bin/ls`)).toBe('otherwise: deny');
    symlinkSync('/usr/bin', join(root, 'of-the-system'));
    expect(await line({ allow: ['ls'] }, './of-the-system/../bin/ls')).toBe('allowed');
    expect(await line({ allow: ['ls'] }, './of-the-system/ls')).toBe('allowed');
  });

  it('is recognized if it is denied', async () => {
    mkdirSync(join(root, 'a/b'), { recursive: true });
    symlinkSync('a/b', join(root, 'ab'));
    copyFileSync('/bin/true', join(root, 'harmless'));
    symlinkSync('/bin/rm', join(root, 'a/harmless'));
    expect(await line({ deny: ['rm'] }, './ab/../harmless x')).toBe('deny: rm');
    expect(await outcome({ deny: ['rm'] }, request('./ab/../harmless', ['x']))).toBe('deny: rm');
    expect(await outcome({ deny: [realpathSync('/bin/rm')] }, request('ab/../harmless', ['x']))).toMatch(/^deny: /);
  });

  it('is recognized behind a link whose target contains `..` behind a link', async () => {
    symlinkSync('ab/../harmless', join(root, 'through'));
    expect(await line({ deny: ['rm'] }, './through x')).toBe('deny: rm');
    symlinkSync(`link${ups}/usr/bin/ls`, join(root, 'ls'));
    expect(await line({ allow: ['/usr/bin/ls'] }, './ls')).toBe('otherwise: deny');
  });

  it('is the one that an entry of PATH leads to', async () => {
    const env = { PATH: `${root}/link${ups}/usr/bin` };
    const letsPath = { allow: ['ls'], environment: { allow: ['PATH'] } };
    expect(await outcome(letsPath, request('ls', [], { env }))).toBe('otherwise: deny');
    expect(await outcome(letsPath, request('ls', [], { env }), { path: env.PATH })).toBe('allowed');
  });
});

const { it: onLinux } = whereLinux();

describe('a program whose path differs for each process', () => {
  onLinux.each([
    ['/proc/self/cwd/usr/bin/ls'],
    ['/dev/fd/../cwd/usr/bin/ls'],
    ['/proc/thread-self/root/usr/bin/ls'],
    ['./of-process/usr/bin/ls'],
    ['/proc/self/exe'],
    ['./me'],
    ['./not-yet/../usr/bin/ls'],
    ['./round/ls'],
  ])('is not understood: %p', async (word) => {
    for (const [target, name] of [
      ['/proc/self/cwd', 'of-process'],
      ['/proc/self/exe', 'me'],
      ['round', 'round'],
    ]) {
      rmSync(join(root, name!), { force: true });
      symlinkSync(target!, join(root, name!));
    }
    const allow = ['ls', '/usr/bin/ls', realpathSync(process.execPath)];
    expect(await line({ allow, otherwise: 'allow', notUnderstood: 'deny' }, `${word} x`)).toBe('notUnderstood: deny');
    expect(await outcome({ allow }, request(word, ['x']))).toMatch(/: deny$/);
    expect(await line({ deny: ['rm'] }, `${word} x`)).toBe('notUnderstood: ask');
  });
});

describe('a directory behind a link', () => {
  const inside = join(root, 'project');
  const directories = [inside];
  beforeAll(() => {
    mkdirSync(join(inside, 'sub/deep'), { recursive: true });
    mkdirSync(join(root, 'secret'));
    symlinkSync(inside, join(inside, 'self'));
    symlinkSync('sub/deep', join(inside, 'in'));
    symlinkSync(`${inside}/sub/deep`, join(root, 'from-outside'));
    symlinkSync(`${inside}/sub/deep`, join(root, 'x'.repeat(220)));
    symlinkSync('self/../secret', join(inside, 'out'));
    symlinkSync('/proc/self/cwd', join(inside, 'of-process'));
  });

  it.each([
    ['env -C self/.. pwd', 'notUnderstood: ask'],
    ['env -C self/../secret pwd', 'notUnderstood: ask'],
    ['env --chdir=self/.. pwd', 'notUnderstood: ask'],
    [`env -C ${inside}/self/../secret pwd`, 'notUnderstood: ask'],
    ['sudo -D self/.. pwd', 'notUnderstood: ask'],
    ['cd self; env -C .. pwd', 'notUnderstood: ask'],
    ['cd self && cd ..', 'directories'],
    ['cd self/..', 'directories'],
    ['set -P; cd self/..', 'directories'],
    ['set -o physical; cd self/..', 'directories'],
    ['cd out', 'directories'],
    ['ln -s . here; env -C here/.. pwd', 'notUnderstood: ask'],
    ['ln -s . here; cd here/..', 'directories'],
    ['mkdir -p new/deep; env -C new/deep/../.. pwd', 'notUnderstood: ask'],
    ['cd of-process/..', 'directories'],
    [`cd ${root}/from-outside; cd ..`, 'directories'],
    [`cd ${root}/${'x'.repeat(220)}`, 'directories'],
    ['cd in && pwd', 'allowed'],
    ['cd in/.. && pwd', 'allowed'],
    ['env -C in/.. pwd', 'notUnderstood: ask'],
    ['cd sub/deep/../../sub && pwd', 'allowed'],
    ['mkdir -p new/deep && cd new/deep', 'allowed'],
    [`cd ${root}/from-outside`, 'allowed'],
  ])('is resolved as shells and the kernel resolve it: %p: %s', async (text, expected) => {
    const policy = { directories };
    expect(await line(policy, text, { cwd: inside })).toBe(expected);
    if (!text.startsWith('set')) expect(await line(policy, text, { cwd: inside, shell: '/bin/zsh' })).toBe(expected);
  });

  it('is resolved for a program with its arguments, and for its start directory', async () => {
    const elsewhere = request('env', ['-C', 'self/..', 'pwd'], { cwd: inside });
    expect(await outcome({ directories }, elsewhere)).toBe('notUnderstood: ask');
    for (const cwd of [`${inside}/self/..`, `${inside}/self/../secret`, `${inside}/out`, `${inside}/none/..`]) {
      expect([cwd, await outcome({ directories }, request('pwd', [], { cwd }))]).toEqual([cwd, 'INVALID_INPUT']);
    }
  });

  it('is checked again after a person has been asked', async () => {
    const cwd = join(inside, 'soon-elsewhere');
    mkdirSync(cwd);
    const ask = () => {
      rmSync(cwd, { recursive: true });
      symlinkSync(join(root, 'secret'), cwd);
      return Promise.resolve(true);
    };
    const asked = request('ls', [], { cwd });
    expect(await outcome({ directories, ask: ['ls'] }, asked, { ask })).toBe('INVALID_INPUT');
  });

  it('is left by `..` along the path by which the shell came', async () => {
    const cwd = join(inside, 'sub/deep');
    const asked = { cwd, cwdInShell: join(root, 'from-outside') };
    expect(await line({ directories }, 'cd ..', { cwd })).toBe('allowed');
    expect(await line({ directories }, 'cd ..', asked)).toBe('directories');
    expect(await line({ directories }, 'cd ..', { cwd, cwdInShell: root })).toBe('allowed');
    expect(await line({ directories }, `PWD=${asked.cwdInShell} bash -c "cd .."`, { cwd })).toBe('environment: PWD');
    expect(await outcome({}, request('pwd', [], { env: { PWD: '/' } }))).toBe('environment: PWD');
  });
});
