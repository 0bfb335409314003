/** Tests `tenacitty doctor`: its findings if all is well, and for each possible problem. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { Place } from './place.js';
import { where, whereLinux } from '../where.js';

let place: Place;
beforeEach(async () => (place = await new Place().ready()));
afterEach(() => place.close());

const WHAT = [
  'platform',
  'Node',
  'runtime directory',
  'data directory',
  'keys',
  'terminals',
  'server',
  'shell',
  'policy',
  'locale',
];

async function findings(env: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await place.start(['doctor', '--json'], { env }).ended();
  const found = JSON.parse(stdout) as Finding[];
  return { code, byName: new Map(found.map((finding) => [finding.what, finding])) };
}

describe('tenacitty doctor', () => {
  it('reports no problem if nothing was ever started, and starts nothing', async () => {
    const { code, byName } = await findings();
    expect([...byName.keys()]).toEqual(WHAT);
    expect([...byName.values()].filter(({ state }) => state === 'wrong')).toEqual([]);
    expect(code).toBe(0);
    expect(byName.get('terminals')!.says).toBe('0 running, 0 ended, 0 lost');
    expect(byName.get('runtime directory')!.says).toContain('created when needed');
  });

  it('counts terminals, and prints a line for each finding', async () => {
    await place.open('exec cat');
    const { stdout } = await place.run('doctor');
    for (const what of WHAT) expect(stdout).toMatch(new RegExp(`^(ok|note) +${what} +\\S`, 'm'));
    expect(stdout).toContain('1 running, 0 ended');
    expect(stdout).toMatch(/^ok +host 0 +pid \d+, version \S+, 1 running terminal, \d+ MiB, responds$/m);
  });

  const { it: onLinux } = whereLinux();
  const { it: asAnybody } = where(process.getuid?.() !== 0, 'not to be root');

  it.each([
    ['a runtime directory open to others', 'runtime directory', 'chmod 700', () => open('run', 0o755)],
    ['a file as runtime directory', 'runtime directory', 'is not a directory', () => file('run')],
    ['a data directory that others may write to', 'data directory', 'chmod 700', () => open('data', 0o777)],
    ['a file as data directory', 'data directory', 'is not a directory', () => file('data')],
  ])('reports %s', async (_what, name, words, spoil) => {
    spoil();
    const { code, byName } = await findings();
    expect(byName.get(name)).toMatchObject({ state: 'wrong', says: expect.stringContaining(words) });
    expect(code).toBe(1);
    // Otherwise the place could not be cleaned up.
    for (const spoilt of ['run', 'data']) rmSync(join(place.directory, spoilt), { recursive: true, force: true });
  });

  it('reports a policy with which no server would start', async () => {
    const { code, byName } = await findings({ TENACITTY_COMMAND_POLICY_FILE: join(place.directory, 'none.json') });
    expect(byName.get('policy')).toMatchObject({ state: 'wrong', says: expect.stringContaining('ENOENT') });
    expect(code).toBe(1);
  });

  onLinux('reports a data directory that cannot be created', async () => {
    const { code, byName } = await findings({ TENACITTY_DATA_DIR: '/proc/nope/below' });
    expect(code).toBe(1);
    expect(byName.get('data directory')).toMatchObject({
      state: 'wrong',
      says: '/proc/nope/below does not exist and cannot be created: nothing can be created in /proc',
    });
  });

  asAnybody('reports a data directory that cannot be written', async () => {
    open('data', 0o500);
    expect((await findings()).byName.get('data directory')).toMatchObject({ state: 'wrong' });
  });

  it('reports a missing shell, and a locale without UTF-8', async () => {
    const { code, byName } = await findings({ TENACITTY_SHELL_PATH: '/none/such', LANG: 'C' });
    expect(byName.get('shell')).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('TENACITTY_SHELL_PATH'),
    });
    expect(byName.get('locale')).toMatchObject({ state: 'note' });
    expect(code).toBe(1);
  });

  it('reports the server, or that there is none, or that another program has its port', async () => {
    const server = place.start(['serve'], { stdin: null });
    await server.says(/is at http[^]*Stop/, 'stderr');
    const [, port] = /is at http:\/\/127\.0\.0\.1:(\d+)/.exec(server.stderr)!;
    expect((await findings({ TENACITTY_PORT: port! })).byName.get('server')).toMatchObject({ state: 'ok' });
    server.child.kill('SIGTERM');
    await server.ended();
    const none = await findings({ TENACITTY_PORT: port! });
    expect(none).toMatchObject({ code: 0 });
    expect(none.byName.get('server')).toMatchObject({
      state: 'note',
      says: expect.stringContaining('main.js serve'),
    });
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const found = await findings({ TENACITTY_PORT: String((other.address() as AddressInfo).port) });
    other.close();
    expect(found.byName.get('server')).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('another program'),
    });
  });

  function open(name: string, mode: number): void {
    mkdirSync(join(place.directory, name));
    chmodSync(join(place.directory, name), mode);
  }

  function file(name: string): void {
    writeFileSync(join(place.directory, name), '');
  }
});
