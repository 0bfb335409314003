/**
 * Tests which environment variables reach programs: the person's do, tenacitty's do not, and a project's `.env` is
 * ignored.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const NAMES = ['PORT', 'HOST', 'LOG_LEVEL', 'SESSION_TIMEOUT', 'CORS_ORIGIN', 'MAX_BUFFER_SIZE', 'DATA_DIR', 'FOO'];
const SHOW = `echo ${NAMES.map((name) => `${name}=$${name}`).join(' ')} [$TENACITTY_API_KEY_SHA256]`;
const OWN = {
  ...{ PORT: '4000', HOST: 'web.local', LOG_LEVEL: 'trace', SESSION_TIMEOUT: 'never', CORS_ORIGIN: 'x' },
  ...{ MAX_BUFFER_SIZE: 'big', DATA_DIR: './data', FOO: 'bar' },
};
const SHOWN = `${Object.entries(OWN)
  .map(([name, value]) => `${name}=${value}`)
  .sort((one, other) => NAMES.indexOf(one.split('=')[0]!) - NAMES.indexOf(other.split('=')[0]!))
  .join(' ')} []`;
const env = { ...OWN, TENACITTY_API_KEY_SHA256: 'a'.repeat(64) };

describe('the environment', () => {
  it('of the caller is passed to the program completely, except for tenacitty’s settings', async () => {
    const ran = await place.start(['run', '--', 'sh', '-c', SHOW], { env }).ended();
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(SHOWN) });
    const executed = await place.start(['exec', '--', SHOW], { env }).ended();
    expect(executed).toMatchObject({ code: 0, stdout: expect.stringContaining(SHOWN) });
    const made = await place.start(['new', '--', 'sh', '-c', SHOW], { env }).ended();
    expect(made).toMatchObject({ code: 0 });
    await place.run('wait', made.stdout.trim());
    expect(await place.stdout('logs', made.stdout.trim())).toContain(SHOWN);
  });

  it('of a server is passed to its terminals without the server’s own settings', async () => {
    const settings = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', SESSION_TIMEOUT: '0', MAX_BUFFER_SIZE: '70' };
    const server = place.start(['serve'], {
      env: { ...env, ...settings, CORS_ORIGIN: '*', TENACITTY_PORT: '' },
      stdin: null,
    });
    await server.says(/is at http[^]*Stop/, 'stderr');
    const [url] = /http:\S+/.exec(server.stderr)!;
    const answer = await fetch(`${url}/api/run`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ command: 'sh', args: ['-c', SHOW] }),
    });
    const { data } = (await answer.json()) as { data: { output: string } };
    expect(data.output).toContain(
      'PORT= HOST= LOG_LEVEL= SESSION_TIMEOUT= CORS_ORIGIN= MAX_BUFFER_SIZE= DATA_DIR=./data FOO=bar []',
    );
  });
});

describe('a .env file in the directory', () => {
  it('is ignored by commands, whatever it contains', async () => {
    const text = 'DATA_DIR=./mine\nTENACITTY_DATA_DIR=./mine\nTENACITTY_LOG_LEVEL=trace\nPORT=x\nLOG_LEVEL=trace\n';
    writeFileSync(join(place.directory, '.env'), text);
    const env = { TENACITTY_DATA_DIR: '' };
    for (const args of [['key', 'create'], ['ls']]) {
      expect(await place.start(args, { env }).ended()).toMatchObject({ code: 0 });
    }
    expect(existsSync(join(place.directory, 'mine'))).toBe(false);
  });

  it('is read by a server, with and without the prefix', async () => {
    writeFileSync(join(place.directory, '.env'), 'PORT=0\nTENACITTY_LOG_LEVEL=error\nDATABASE_URL=x\n');
    const server = place.start(['serve'], { env: { TENACITTY_PORT: '' }, stdin: null });
    await server.says(/Settings +\S+\.env \(TENACITTY_PORT, TENACITTY_LOG_LEVEL\)/, 'stderr');
    expect(server.stderr).not.toContain('unknown setting');
  });
});
