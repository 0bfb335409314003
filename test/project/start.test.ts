/** `npm start` in a fresh copy of the project: what is set up, when it is not, and that it then serves. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error -- a script without types, made to run where nothing is installed
import { platformProblem } from '../../scripts/setup.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const COPIED = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src'];

/** Stands in for npm, so that no test installs anything: says how it was called and leaves npm's note. */
const FAKE_NPM = '#!/bin/sh\necho "npm was called: $*" >&2\ntouch node_modules/.package-lock.json\n';

/** A build takes many times longer than alone when the other tests have the cores. */
const BUILDS_TIMEOUT_MS = 300_000;

let copy: string;
let child: ChildProcess | undefined;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tenacitty-copy-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  // The packages are linked one by one into a folder of the copy's own: the real folder stays out of reach.
  const [modules, copiedModules] = [join(ROOT, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(copiedModules);
  for (const name of readdirSync(modules)) {
    if (!name.startsWith('.')) symlinkSync(join(modules, name), join(copiedModules, name));
  }
  mkdirSync(join(copy, 'bin'));
  writeFileSync(join(copy, 'bin', 'npm'), FAKE_NPM, { mode: 0o755 });
});
afterEach(() => child?.kill('SIGKILL'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What `npm start` runs: starts, waits for the banner or the end, and stops. Answers with all that was said. */
async function start(...args: string[]): Promise<{ said: string; code: number | null }> {
  const env = { ...process.env, NODE_OPTIONS: '', PORT: '0', PATH: `${join(copy, 'bin')}:${process.env['PATH']}` };
  child = spawn(process.execPath, ['scripts/start.mjs', ...args], { cwd: copy, env });
  const ended = once(child, 'close');
  let said = '';
  child.stderr!.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    if (/Stop .*\n/.test(said)) child?.kill('SIGTERM');
  });
  const [code] = (await ended) as [number | null];
  return { said, code };
}

describe('npm start', () => {
  it(
    'installs and builds what is missing, says so, and serves',
    async () => {
      const { said } = await start();
      expect(said).toContain('tenacitty: installing packages');
      expect(said).toContain('npm was called: ci --include=dev');
      expect(said).toContain('tenacitty: building');
      expect(said).toMatch(/is at http:\/\/127\.0\.0\.1:\d+/);
      expect(existsSync(join(copy, 'dist', 'cli', 'main.js'))).toBe(true);
    },
    BUILDS_TIMEOUT_MS,
  );

  it('adds nothing the second time, and hands flags on', async () => {
    const { said } = await start('--host', 'localhost');
    expect(said).not.toMatch(/building|installing/);
    expect(said).toContain('is at http://localhost:');
  });

  it('installs again when the lock file changed, but not what npm has installed since', async () => {
    appendFileSync(join(copy, 'package-lock.json'), '\n');
    expect((await start()).said).toContain('npm was called');
    appendFileSync(join(copy, 'package-lock.json'), '\n');
    writeFileSync(join(copy, 'node_modules', '.package-lock.json'), '');
    expect((await start()).said).not.toContain('npm was called');
  });

  it('never lets npm empty a folder that node_modules is only a link to', async () => {
    const [modules, elsewhere] = [join(copy, 'node_modules'), join(copy, 'elsewhere')];
    renameSync(modules, elsewhere);
    symlinkSync(elsewhere, modules);
    appendFileSync(join(copy, 'package-lock.json'), '\n');
    const { said, code } = await start();
    expect({ code, called: said.includes('npm was called') }).toEqual({ code: 1, called: false });
    expect(said).toContain('is a link; run npm ci where it leads to');
    rmSync(modules);
    renameSync(elsewhere, modules);
  });

  it(
    'builds again after a change',
    async () => {
      appendFileSync(join(copy, 'src', 'version.ts'), '\n');
      expect((await start()).said).toContain('tenacitty: building');
    },
    BUILDS_TIMEOUT_MS,
  );

  it(
    'does not start what cannot be built, and tries again the next time',
    async () => {
      writeFileSync(join(copy, 'src', 'broken.ts'), 'export const broken: number = "text";\n');
      for (let attempt = 0; attempt < 2; attempt++) {
        const { said, code } = await start();
        expect(code).toBe(1);
        expect(said).toContain('src/broken.ts');
        expect(said).toContain('The build failed.');
      }
    },
    BUILDS_TIMEOUT_MS,
  );
});

describe('the platform', () => {
  const good = { version: 'v20.19.0', platform: 'linux', isMusl: false };

  it('is fine with glibc Linux or macOS and a Node that is new enough', () => {
    for (const facts of [good, { ...good, platform: 'darwin' }, { ...good, version: 'v26.0.0' }]) {
      expect(platformProblem(facts)).toBeUndefined();
    }
  });

  it.each([
    [{ version: 'v20.18.3' }, 'Node 20.19 or newer is needed, this is v20.18.3'],
    [{ version: 'v18.99.0' }, 'Node 20.19 or newer is needed'],
    [{ platform: 'win32' }, 'use WSL'],
    [{ isMusl: true }, 'glibc is needed, this is musl'],
  ])('is refused with words when it is not: %j', (facts, words) => {
    expect(platformProblem({ ...good, ...facts })).toContain(words);
  });
});
