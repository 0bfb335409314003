/** Tests `tenacitty config`: the settings that a server started here would use, and their sources. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Place } from './place.js';
import type { EndedCommand } from './place.js';

let place: Place;
beforeEach(() => (place = new Place()));
afterEach(() => place.close());

const HASH = 'ab'.repeat(32);

interface Shown {
  readonly settingsFile: string | null;
  readonly settings: readonly { name: string; flag: string; value: string | null; from: string }[];
  readonly notes: readonly string[];
}

const show = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<EndedCommand> =>
  place.start(['config', ...args], { env }).ended();

function shownBy({ stdout }: EndedCommand) {
  const shown = JSON.parse(stdout) as Shown;
  return { ...shown, byName: new Map(shown.settings.map(({ name, value, from }) => [name, { value, from }])) };
}

const dotEnv = (...lines: readonly string[]): string => {
  const path = join(place.directory, '.env');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};

describe('tenacitty config', () => {
  it('reports for each setting its source: flag, environment, line or default', async () => {
    const file = dotEnv(
      '# of the server',
      'SESSION_TIMEOUT=90m',
      'TENACITTY_MAX_BODY_BYTES=1048576',
      'LOG_LEVEL=error',
    );
    const ended = await show(['--json', '--rate-limit', '7'], { LOG_LEVEL: 'debug' });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const { byName, settingsFile, notes } = shownBy(ended);
    expect({ settingsFile, notes }).toEqual({ settingsFile: file, notes: [] });
    expect(Object.fromEntries(byName)).toMatchObject({
      TENACITTY_RATE_LIMIT: { value: '7', from: 'flag --rate-limit' },
      TENACITTY_PORT: { value: '0', from: 'environment' },
      TENACITTY_LOG_LEVEL: { value: 'debug', from: 'environment, as LOG_LEVEL' },
      TENACITTY_SESSION_TIMEOUT: { value: '90m', from: `file ${file}:2` },
      TENACITTY_MAX_BODY_BYTES: { value: '1M', from: `file ${file}:3` },
      TENACITTY_HOST: { value: '127.0.0.1', from: 'default' },
      TENACITTY_LOG_FILE: { value: null, from: 'default' },
    });
  });

  it('prints a line for each setting', async () => {
    const { stdout } = await show([]);
    expect(stdout).toMatch(/^SETTING +VALUE +FROM\n/);
    expect(stdout).toMatch(/^TENACITTY_HOST +127\.0\.0\.1 +default$/m);
    expect(stdout).toMatch(/^TENACITTY_LOG_FILE +- +default$/m);
  });

  it('shows no hash of an API key', async () => {
    for (const args of [[], ['--json']]) {
      const { stdout, stderr } = await show(args, { TENACITTY_API_KEY_SHA256: `${HASH},${HASH}` });
      expect(stdout).toContain('2 (not shown)');
      expect(stdout + stderr).not.toContain(HASH);
    }
  });

  it('reports where other commands look if only .env names the data directory', async () => {
    const path = dotEnv('TENACITTY_DATA_DIR=elsewhere');
    const note =
      `TENACITTY_DATA_DIR is ${join(place.directory, 'elsewhere')} only for tenacitty serve (file ${path}:1); ` +
      `other commands use ${join(place.directory, '.local/share/tenacitty')}.`;
    const bare = { TENACITTY_DATA_DIR: '' };
    expect((await show([], bare)).stderr).toContain(note);
    expect(shownBy(await show(['--json'], bare)).notes).toEqual([expect.stringContaining(note)]);
    // The runtime directory makes no difference: hosts are found from any.
    dotEnv('TENACITTY_RUNTIME_DIR=elsewhere');
    expect(shownBy(await show(['--json'], { ...bare, TENACITTY_RUNTIME_DIR: '' })).notes).toEqual([]);
    dotEnv('TENACITTY_DATA_DIR=elsewhere');
    // A settings file given by the caller applies to every command.
    expect(shownBy(await show(['--json', '--settings-file', path], bare)).notes).toEqual([]);
  });

  it('shows settings that serve would refuse, with the reason', async () => {
    const { code, stdout, stderr } = await show(['--host', '0.0.0.0']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^TENACITTY_HOST +0\.0\.0\.0 +flag --host$/m);
    expect(stderr).toContain('there is no API key yet');
  });

  it('names each invalid value, and its source', async () => {
    const { code, stdout, stderr } = await show(['--json'], { HOST: '127.0.0.1', TENACITTY_RATE_LIMIT: 'fast' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('TENACITTY_RATE_LIMIT is "fast" (environment)');
  });
});
