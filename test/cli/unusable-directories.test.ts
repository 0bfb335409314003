/**
 * Tests that problems with a directory are reported everywhere: by doctor, the banner, the log, health and readiness.
 */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findingOf } from '../../src/cli/doctor/hosts.js';
import { isNewer, VERSION } from '../../src/version.js';
import { whereRoot } from '../where.js';
import { MAIN, Place } from './place.js';

const NOBODY = 65_534;
const { it: asRoot } = whereRoot();

let place: Place;
let data: string;
let runtime: string;
beforeEach(() => {
  place = new Place();
  [data, runtime] = [place.env['TENACITTY_DATA_DIR']!, place.env['TENACITTY_RUNTIME_DIR']!];
});
afterEach(() => place.close());

async function serve(env: Readonly<Record<string, string>> = {}) {
  const server = place.start(['serve'], { stdin: null, env });
  await server.says(/is at http[^]*Stop/, 'stderr');
  const url = /is at (http\S+)/.exec(server.stderr)![1]!;
  const ask = async (path: string) => {
    const answer = await fetch(url + path);
    return { status: answer.status, text: await answer.text() };
  };
  return { said: server.stderr, port: new URL(url).port, ask };
}

describe.each([
  ['broken', (path: string) => writeFileSync(path, '{')],
  ['open to others', (path: string) => chmodSync(path, 0o644)],
])('a key file that is %s', (_how, spoil) => {
  it('is named by doctor, the banner, health and readiness', async () => {
    await place.stdout('key', 'create');
    const path = join(data, 'keys.json');
    spoil(path);
    const { code, stdout } = await place.run('doctor');
    expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`^WRONG +keys .*${path}`, 'm'))]);
    const { said, ask } = await serve();
    expect(said).toMatch(new RegExp(`^ +WRONG .*${path}`, 'm'));
    expect((await ask('/api/health')).text).toMatch(/"status":"degraded".*keys\.json/);
    expect((await ask('/readyz')).text).toContain(path);
  });
});

asRoot('a runtime directory created earlier by another user is named, and the server is not ready', async () => {
  mkdirSync(runtime, { mode: 0o700 });
  chownSync(runtime, NOBODY, NOBODY);
  const { code, stderr } = await place.run('ls');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/belongs to another user/)]);
  const { said, ask } = await serve();
  expect(said).toContain(`WRONG     TENACITTY_RUNTIME_DIR ${runtime} cannot be used: it belongs to another user`);
  expect((await ask('/api/health')).text).toMatch(/"status":"degraded".*another user/);
  expect(await ask('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('another user') as unknown });
});

asRoot(
  'a directory in /tmp created earlier by another user has no effect: sockets are stored with the data',
  async () => {
    // Unique to this process: another test run has its own user.
    const user = 100_000 + process.pid;
    const squatted = `/tmp/tenacitty-${user}`;
    mkdirSync(squatted);
    const home = mkdtempSync(join(tmpdir(), 'tenacitty-squatted-'));
    chownSync(home, user, user);
    const env = { PATH: process.env['PATH']!, HOME: home, SHELL: '/bin/sh' };
    const asUser = (...args: string[]) =>
      promisify(execFile)(process.execPath, [MAIN, ...args], { cwd: home, env, uid: user, gid: user });
    try {
      expect((await asUser('run', '--', 'echo', 'hi')).stdout.trim()).toBe('hi');
      const { stdout: id } = await asUser('new', '--', 'cat');
      rmSync(squatted, { recursive: true });
      // A process that does not find the directory any more finds the same host.
      expect((await asUser('ls', '--quiet')).stdout).toContain(id.trim());
    } finally {
      await asUser('kill-server', '--yes');
      for (const path of [squatted, home]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);

it('a data directory that is a file is reported once', async () => {
  rmSync(data, { recursive: true, force: true });
  writeFileSync(data, '');
  const { code, stdout } = await place.run('doctor');
  const wrong = stdout.split('\n').filter((line) => line.startsWith('WRONG'));
  expect([code, wrong]).toEqual([1, [expect.stringContaining(`${data} is not a directory`)]]);
});

it('a server with other directories is not taken for this one', async () => {
  const other = { TENACITTY_DATA_DIR: join(place.directory, 'other') };
  const { port } = await serve(other);
  const flags = ['doctor', '--port', port];
  const { code, stdout } = await place.run(...flags);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^WRONG +server +the server at \S+ has another data directory/m),
  ]);
  const same = await place.start(flags, { env: other }).ended();
  expect(same.stdout).toMatch(/^ok +server +responds at/m);
});

it('a server with another runtime directory has the same terminals, and counts as this one', async () => {
  const { port } = await serve({ TENACITTY_RUNTIME_DIR: join(place.directory, 'run-of-service') });
  expect((await place.run('doctor', '--port', port)).stdout).toMatch(/^ok +server +responds at/m);
});

describe('a host of a newer version', () => {
  const load = { active: 1, memoryBytes: 1 } as never;
  const host = (version: string) =>
    findingOf({ slot: 0, pid: 1, version, load, problem: null }, (words) => `tenacitty ${words}`).says;

  it('is not replaced by an older command', () => {
    expect(host('999.0.0')).toContain(`newer than this tenacitty (${VERSION}): update this tenacitty`);
    expect(host('0.0.1')).toContain('to update it: tenacitty upgrade-host');
  });

  it.each([
    ['0.2.0', '0.1.9', true],
    ['0.1.10', '0.1.9', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
  ])('is described by its numbers: %s, %s', (version, than, expected) => {
    expect(isNewer(version, than)).toBe(expected);
  });
});
