/** Tests API keys as people and scripts use them: created, listed, revoked, and used on a server meanwhile. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { Place } from './place.js';

const ROOT = join(import.meta.dirname, '..', '..');
/** Older than any key here, newer than 1970. */
const LONG_AGO = '2020-01-01T00:00:00.000Z';

let place: Place;
beforeEach(() => (place = new Place()));
afterEach(() => place.close());

interface Made {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly expires: string | null;
}

async function create(...flags: string[]): Promise<Made> {
  return JSON.parse(await place.stdout('key', 'create', '--json', ...flags)) as Made;
}

async function listed(): Promise<Record<string, unknown>[]> {
  return JSON.parse(await place.stdout('key', 'list', '--json')) as Record<string, unknown>[];
}

async function serve(): Promise<(key: string) => Promise<{ status: number; text: string }>> {
  const server = place.start(['serve'], { stdin: null, env: { TENACITTY_PERSISTENT: 'false' } });
  await server.says(/is at http[^]*Stop/, 'stderr');
  const url = /is at (http\S+)/.exec(server.stderr)![1]!;
  return async (key) => {
    const answer = await fetch(`${url}/api/terminals`, { headers: { 'X-API-Key': key } });
    return { status: answer.status, text: await answer.text() };
  };
}

describe('npm run key', () => {
  it('prints its own help, and creates nothing', async () => {
    const env = { ...process.env, ...place.env };
    const script = join(ROOT, 'scripts', 'key.mjs');
    const { status, stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: tenacitty key')]);
    expect(await listed()).toEqual([]);
  });
});

describe('key create', () => {
  it('prints only the key, or with --json everything about it', async () => {
    expect(await place.stdout('key', 'create')).toMatch(/^tnc_[\w-]{43}\n$/);
    const made = await create('--name', 'laptop');
    const key: unknown = expect.stringMatching(/^tnc_[\w-]{43}$/);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{10}$/) as unknown,
      key,
      name: 'laptop',
      expires: null,
    });
  });

  it.each(['0s', '99999999d'])('does not accept the unreasonable time %s', async (given) => {
    const { code, stderr } = await place.run('key', 'create', '--expires', given);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--expires')]);
  });

  it.each([
    ['key', 'list', '--name', 'a'],
    ['key', 'revoke', 'a', '--json'],
  ])('has its own flags: %s %s', async (...args) => {
    const { code, stderr } = await place.run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`does not apply to key ${args[1]}`)]);
  });
});

describe('key list', () => {
  it('prints a header, and a row for each key', async () => {
    await create('--name', 'laptop', '--expires', '30d');
    const [header, row] = (await place.stdout('key', 'list')).split('\n');
    expect(header).toMatch(/^ID +NAME +CREATED +EXPIRES +LAST USED$/);
    expect(row).toMatch(/^[0-9a-f]{10} +laptop +\d{4}-\d\d-\d\d \d\d:\d\dZ +\d{4}-\d\d-\d\d \d\d:\d\dZ +never$/);
  });

  it('reports when a key was last used, without writing the key file for that', async () => {
    const [used, unused] = [await create('--name', 'used'), await create('--name', 'unused')];
    const path = join(place.env['TENACITTY_DATA_DIR']!, 'keys.json');
    const before = readFileSync(path, 'utf8');
    const ask = await serve();
    expect((await ask(used.key)).status).toBe(200);
    await eventually(async () => (await listed())[0]!['lastUsed'] !== null);
    const [first, second] = await listed();
    expect(Object.keys(first!)).toEqual(['id', 'name', 'created', 'expires', 'lastUsed']);
    expect(Date.parse(String(first!['lastUsed']))).toBeGreaterThanOrEqual(Date.parse(String(first!['created'])));
    expect(second).toMatchObject({ id: unused.id, lastUsed: null });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(await place.stdout('key', 'list')).toMatch(/used .* \d+s ago/);
  });
});

describe('key revoke', () => {
  it.each(['name', 'id', 'short id'])('accepts the %s, and a server refuses the key immediately', async (what) => {
    const { id, key, name } = await create('--name', 'laptop');
    await create('--name', 'other');
    const ask = await serve();
    expect((await ask(key)).status).toBe(200);
    await place.stdout('key', 'revoke', { name, id, 'short id': id.slice(0, 4) }[what]!);
    expect((await ask(key)).status).toBe(401);
    expect((await listed()).map((each) => each['name'])).toEqual(['other']);
  });

  it('refuses a name that several keys have, and lists them', async () => {
    const [a, b] = [await create('--name', 'laptop'), await create('--name', 'laptop')];
    const { code, stderr } = await place.run('key', 'revoke', 'laptop');
    expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`2 keys[^]*${a.id}[^]*${b.id}`))]);
    expect(await listed()).toHaveLength(2);
  });

  it.each(['nobody', 'abc'])('reports that there is no key %s', async (given) => {
    const { code, stderr } = await place.run('key', 'revoke', given);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`There is no key "${given}"`)]);
  });
});

describe('an expired key', () => {
  it('is refused with a reason, and listed as expired', async () => {
    const { id, key } = await create('--name', 'guest', '--expires', '1h');
    const ask = await serve();
    expect((await ask(key)).status).toBe(200);
    const path = join(place.env['TENACITTY_DATA_DIR']!, 'keys.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"expires": "[^"]*"/, `"expires": "${LONG_AGO}"`));
    const { status, text } = await ask(key);
    expect([status, text]).toEqual([401, expect.stringContaining(`its API key ${id} expired at ${LONG_AGO}`)]);
    expect(await place.stdout('key', 'list')).toContain('expired 2020-01-01 00:00Z');
  });

  it('does not count as a key for listening beyond this machine', async () => {
    await create('--expires', '1h');
    const path = join(place.env['TENACITTY_DATA_DIR']!, 'keys.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"expires": "[^"]*"/, `"expires": "${LONG_AGO}"`));
    const { code, stderr } = await place.start(['serve', '--host', '0.0.0.0']).ended();
    expect([code, stderr]).toEqual([2, expect.stringContaining('all API keys have expired')]);
  });
});
