/**
 * Tests settings with real files: precedence of sources, rejected values and their messages, and the resulting options.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { resolveOptions } from '../src/config.js';
import type { SettingSources } from '../src/config.js';
import { BARE_NAMES, flagOf, SETTING_NAMES, SETTINGS } from '../src/config/settings.js';
import type { SettingName } from '../src/config/settings.js';
import { createKey } from '../src/access/key-file.js';
import { TerminalError } from '../src/errors.js';
import { DEFAULT_ENGINE_OPTIONS } from '../src/contract/options.js';
import { whereLinux, whereRoot } from './where.js';

const { it: onLinux } = whereLinux();
const { it: asRoot } = whereRoot();

let cwd: string;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'tenacitty-config-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const resolved = (sources: SettingSources = {}) => resolveOptions({ env: {}, cwd, ...sources });
const options = (sources: SettingSources = {}) => resolved(sources).options;

function refusal(sources: SettingSources): TerminalError {
  try {
    resolved(sources);
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'INVALID_INPUT') return error;
    throw error;
  }
  throw new Error('expected the settings to be refused');
}

function writeEnv(text: string, name = '.env'): string {
  const path = join(cwd, name);
  writeFileSync(path, text);
  return path;
}

describe('defaults', () => {
  it('are those of the original specification, except for TENACITTY_HOST', () => {
    expect(options()).toMatchObject({ port: 3001, host: '127.0.0.1', logLevel: 'info', corsOrigins: '*' });
    expect(options().engine).toMatchObject({ maxBufferLines: 10_000, sessionTimeoutMs: 86_400_000 });
  });

  it('are the engine’s own for settings of the engine', () => {
    const { log: _log, defaultShell: _shell, withheldEnv: _names, ...rest } = DEFAULT_ENGINE_OPTIONS;
    // Values that clients specify for their own terminals are not settings.
    const { connectionTimeoutMs: _time, connectionEnds: _ends, maxHolderSilenceMs: _silence, ...set } = rest;
    const { historyDir: _directory, historyRoot: _root, shellDir: _shells, ...limits } = set;
    expect(options().engine).toMatchObject(limits);
  });

  it('store data below XDG_DATA_HOME, unless it is relative', () => {
    const home = join(homedir(), '.local/share/tenacitty');
    expect(options({ env: { XDG_DATA_HOME: '/data' } }).dataDir).toBe('/data/tenacitty');
    expect(options({ env: { XDG_DATA_HOME: 'data' } }).dataDir).toBe(home);
    expect(options().dataDir).toBe(home);
  });

  it('use the user’s $SHELL, without reporting it as our setting', () => {
    const withShell = options({ env: { SHELL: '/bin/sh' } });
    expect(withShell.engine.defaultShell).toBe('/bin/sh');
    expect(withShell.engine.withheldEnv).not.toContain('SHELL');
    expect(withShell.origins.TENACITTY_SHELL_PATH).toBe('default');
  });
});

describe('sources', () => {
  it('rank flags over environment over file over defaults, and the origin of each value is kept', () => {
    const path = writeEnv('# ours\nPORT=1\nHOST=127.0.0.2\n\nLOG_LEVEL=warn\n');
    const { port, host, logLevel, origins } = options({
      takesBareNames: true,
      argv: ['--port', '3'],
      env: { TENACITTY_PORT: '2', TENACITTY_HOST: '127.0.0.3' },
    });
    expect({ port, host, logLevel }).toEqual({ port: 3, host: '127.0.0.3', logLevel: 'warn' });
    expect(origins).toMatchObject({
      TENACITTY_PORT: 'flag --port',
      TENACITTY_HOST: 'environment',
      TENACITTY_LOG_LEVEL: `file ${path}:5`,
      TENACITTY_RATE_LIMIT: 'default',
    });
  });

  it('read flags with = and without, switches alone, and the last of a repeated one', () => {
    const argv = ['--max-buffer-size=500', '--port', '1', '--port=0', '--trust-local', 'false'];
    expect(options({ argv })).toMatchObject({ port: 0, trustLocal: false, engine: { maxBufferLines: 500 } });
    expect(options({ argv: ['--trust-local', '--port=7'], env: { TENACITTY_TRUST_LOCAL: 'false' } })).toMatchObject({
      trustLocal: true,
      port: 7,
    });
  });

  it('accept the six names of a server without their prefix if a server reads them, the prefixed one first', () => {
    const env = { PORT: '4', HOST: '127.0.0.4', TENACITTY_HOST: '127.0.0.5', MAX_TERMINALS: '7', DATA_DIR: '/other' };
    expect(options({ env })).toMatchObject({ port: 3001, host: '127.0.0.5', engine: { maxTerminals: 512 } });
    const asServer = options({ env, takesBareNames: true });
    expect(asServer).toMatchObject({ port: 4, host: '127.0.0.5', engine: { maxTerminals: 512 } });
    expect(asServer.origins.TENACITTY_PORT).toBe('environment, as PORT');
    expect(asServer.dataDir).not.toBe('/other');
  });

  it('ignore the .env file of a directory except for a server', () => {
    const path = writeEnv('TENACITTY_DATA_DIR=/data\nLOG_LEVEL=trace\nPORT=5\nTENACITTY_PORT=6\n');
    expect(options()).toMatchObject({ port: 3001, envFile: null });
    expect(options({ isServing: false }).dataDir).not.toBe('/data');
    expect(() => options({ takesBareNames: true })).toThrow(`"trace" (file ${path}:2)`);
    writeEnv('LOG_LEVEL=warn\nPORT=5\nTENACITTY_PORT=6\nMAX_BUFFER_SIZE=70\nMAX_TERMINALS=7\n');
    const asServer = options({ takesBareNames: true });
    expect(asServer).toMatchObject({ logLevel: 'warn', port: 6, engine: { maxBufferLines: 70, maxTerminals: 512 } });
    expect(asServer.origins.TENACITTY_PORT).toBe(`file ${path}:3`);
  });

  it('treat an empty variable or line as not set', () => {
    writeEnv('TENACITTY_MAX_TERMINALS=\n');
    expect(options({ env: { TENACITTY_PORT: '' } })).toMatchObject({ port: 3001, engine: { maxTerminals: 512 } });
  });

  it('read another file if --settings-file names one, and use the last of repeated lines', () => {
    writeEnv('TENACITTY_PORT=1\n');
    const path = writeEnv('TENACITTY_PORT=4\nexport TENACITTY_PORT="5" # five\n', 'other.env');
    const { port, origins, envFile } = options({ argv: ['--settings-file', 'other.env'] });
    expect({ port, origin: origins.TENACITTY_PORT, envFile }).toEqual({
      port: 5,
      origin: `file ${path}:2`,
      envFile: path,
    });
  });

  it('refuse to start if a named file is missing', () => {
    expect(refusal({ argv: ['--settings-file=nowhere.env'] }).message).toContain(join(cwd, 'nowhere.env'));
  });

  it('refuse a file that is a pipe, without waiting for it', () => {
    execFileSync('mkfifo', [join(cwd, '.env')]);
    expect(refusal({ takesBareNames: true }).message).toContain('it is not a regular file');
  });

  it('warn of unknown settings with a suggestion, and start nevertheless', () => {
    const path = writeEnv('TENACITTY_MAX_BUFER_SIZE=5\nDATABASE=x\nDATA_DIR=/x\nTENACITTY_NEW=1\n');
    const ours = [
      `${path}:1: unknown setting TENACITTY_MAX_BUFER_SIZE. Did you mean TENACITTY_MAX_BUFFER_SIZE?`,
      `${path}:3: unknown setting DATA_DIR. Did you mean TENACITTY_DATA_DIR?`,
      `${path}:4: unknown setting TENACITTY_NEW.`,
    ];
    expect([...resolved({ takesBareNames: true }).warnings].sort()).toEqual(ours);
    const named = resolved({ argv: ['--settings-file', path] }).warnings;
    expect([...named].sort()).toEqual([ours[0], `${path}:2: unknown setting DATABASE.`, ...ours.slice(1)]);
  });

  it('warn of mistyped variables, but not of variables of other programs', () => {
    const env = { TENACITTY_LOG_LEVLE: 'x', TENACITTY_TERMINAL_ID: 'x', TENACITTY_SERVICE_HOST: '10.0.0.1' };
    expect(resolved({ env }).warnings).toEqual([
      'environment: unknown setting TENACITTY_LOG_LEVLE. Did you mean TENACITTY_LOG_LEVEL?',
    ]);
  });

  it('never change the environment of the process', () => {
    writeEnv('TENACITTY_API_KEY_SHA256=' + 'a'.repeat(64));
    const before = { ...process.env };
    resolved();
    expect(process.env).toEqual(before);
  });
});

describe('refusals', () => {
  it('name every invalid setting at once, with value, expectation and origin', () => {
    const path = writeEnv('TENACITTY_LOG_LEVEL=loud\n');
    const { message, details } = refusal({
      takesBareNames: true,
      argv: ['--port=http', '--prot=3'],
      env: { TENACITTY_SESSION_TIMEOUT: '-1' },
    });
    expect(message.split('\n')).toEqual([
      '4 settings cannot be used:',
      '  --prot unknown flag. Did you mean --port?',
      '  TENACITTY_PORT is "http" (flag --port); expected a whole number from 0 to 65535',
      '  TENACITTY_SESSION_TIMEOUT is "-1" (environment); expected a time, such as 500ms, 30s or 24h; ' +
        'a number without a unit is milliseconds, 0 = never',
      `  TENACITTY_LOG_LEVEL is "loud" (file ${path}:1); expected error, warn, info or debug`,
    ]);
    expect(details['issues']).toContainEqual(expect.objectContaining({ field: 'TENACITTY_PORT', given: 'http' }));
  });

  it.each([
    ['--port', 'needs a value'],
    ['--nothing-like-it-at-all', 'unknown flag.'],
    ['serve', 'unexpected argument.'],
    ['-p', 'unknown flag.'],
  ])('explain %s', (word, reason) => {
    expect(refusal({ argv: [word] }).message).toContain(reason);
  });

  it.each<[SettingName, string]>([
    ['TENACITTY_PORT', '65536'],
    ['TENACITTY_PORT', '1e3'],
    ['TENACITTY_PORT', ' 80'],
    ['TENACITTY_HOST', 'http://localhost'],
    ['TENACITTY_MAX_BUFFER_SIZE', '0'],
    ['TENACITTY_KILL_GRACE_MS', '60001'],
    ['TENACITTY_KILL_GRACE_MS', '61s'],
    ['TENACITTY_SESSION_TIMEOUT', '5x'],
    ['TENACITTY_MAX_ENV_BYTES', '1KB'],
    ['TENACITTY_CORS_ORIGIN', 'null'],
    ['TENACITTY_CORS_ORIGIN', 'https://a.example/path'],
    ['TENACITTY_CORS_ORIGIN', 'https://a.example, *'],
    ['TENACITTY_CORS_ORIGIN', ','],
    ['TENACITTY_ALLOWED_HOSTS', 'https://a.example'],
    ['TENACITTY_API_KEY_SHA256', 'abc'],
    ['TENACITTY_TRUST_LOCAL', 'yes'],
    ['TENACITTY_SHELL_PATH', '/nowhere/sh'],
    ['TENACITTY_SHELL_PATH', '/etc/passwd'],
    ['TENACITTY_SHELL_PATH', '/etc'],
    ['TENACITTY_TLS_CERT', '/etc/hostname'],
    ['TENACITTY_TLS_KEY', '/etc/hostname'],
    ['TENACITTY_MAX_PENDING_INPUT_BYTES', '1'],
  ])('refuse %s=%s and name it', (name, value) => {
    expect(refusal({ env: { [name]: value } }).message).toContain('cannot be used:');
    expect(refusal({ env: { [name]: value } }).message).toContain(name);
  });

  it('refuse an invalid certificate', () => {
    const file = writeEnv('not a certificate', 'cert.pem');
    const { message } = refusal({ env: { TENACITTY_TLS_CERT: file, TENACITTY_TLS_KEY: file } });
    expect(message).toContain(
      'TENACITTY_TLS_CERT (environment) and TENACITTY_TLS_KEY (environment) cannot be used for HTTPS',
    );
  });
});

describe('listening beyond this machine', () => {
  const dataDir = () => join(cwd, 'data');

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '::ffff:10.0.0.1'])(
    'is refused on %s without an API key, with advice',
    (host) => {
      const { message } = refusal({ env: { TENACITTY_HOST: host, TENACITTY_DATA_DIR: dataDir() } });
      expect(message).toContain(`TENACITTY_HOST is ${host} (environment)`);
      expect(message).toContain('npm run key');
    },
  );

  it.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('does not include %s', (host) => {
    expect(options({ env: { TENACITTY_HOST: host } }).host).toBe(host);
  });

  it('does not affect a command that does not listen, such as the one that creates the first key', () => {
    expect(
      options({ env: { TENACITTY_HOST: '0.0.0.0', TENACITTY_DATA_DIR: dataDir() }, isServing: false }).dataDir,
    ).toBe(dataDir());
  });

  it('can be configured in a directory that was removed', () => {
    const before = process.cwd();
    const gone = mkdtempSync(join(tmpdir(), 'tenacitty-gone-'));
    process.chdir(gone);
    rmSync(gone, { recursive: true });
    try {
      expect(resolveOptions({ env: { TENACITTY_DATA_DIR: '/data' }, isServing: false }).options.dataDir).toBe('/data');
    } finally {
      process.chdir(before);
    }
  });

  it('is allowed with a key in the key file', () => {
    createKey(dataDir(), 'laptop');
    expect(options({ env: { TENACITTY_HOST: '0.0.0.0', TENACITTY_DATA_DIR: dataDir() } }).host).toBe('0.0.0.0');
  });

  it('is allowed with a key hash in a setting', () => {
    const env = { TENACITTY_HOST: '0.0.0.0', TENACITTY_DATA_DIR: dataDir(), TENACITTY_API_KEY_SHA256: 'A'.repeat(64) };
    expect(options({ env }).apiKeyHashes).toEqual(['a'.repeat(64)]);
  });
});

describe('options', () => {
  it('are frozen deeply', () => {
    const frozen = options({ env: { TENACITTY_ALLOWED_HOSTS: 'a.example, b.example:8080' } });
    expect(frozen.allowedHosts).toEqual(['a.example', 'b.example:8080']);
    for (const value of [frozen, frozen.engine, frozen.allowedHosts, frozen.origins, frozen.engine.withheldEnv]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });

  it('resolve paths from the working directory and from ~', () => {
    const { dataDir, logFile } = options({ env: { TENACITTY_DATA_DIR: '~/kept', TENACITTY_LOG_FILE: 'logs/a.log' } });
    expect({ dataDir, logFile }).toEqual({ dataDir: join(homedir(), 'kept'), logFile: join(cwd, 'logs/a.log') });
  });

  asRoot('need no home directory if TENACITTY_DATA_DIR is set, and report it otherwise', () => {
    const script = join(cwd, 'resolve.mjs');
    const source = join(import.meta.dirname, '..', 'src', 'config.ts');
    const call = 'process.setuid(12_345);\nconsole.log(resolveOptions({ cwd: "/" }).options.dataDir);';
    writeFileSync(script, `import { resolveOptions } from ${JSON.stringify(source)};\n${call}`);
    const tsx = createRequire(import.meta.url).resolve('tsx');
    const run = (env: Record<string, string>) => spawnSync(process.execPath, ['--import', tsx, script], { env });
    expect(run({ TENACITTY_DATA_DIR: '/data' }).stdout.toString()).toBe('/data\n');
    expect(run({}).stderr.toString()).toContain('set TENACITTY_DATA_DIR');
  });

  it('withhold from programs the variables that a server reads without a prefix, and none elsewhere', () => {
    expect(options({ takesBareNames: true }).engine.withheldEnv).toEqual([...BARE_NAMES]);
    expect(options().engine.withheldEnv).toEqual([]);
  });

  it('tell programs the location of their terminals, unless it is the default one', () => {
    expect(options().engine.placeEnv).toEqual({});
    const env = {
      TENACITTY_DATA_DIR: 'kept',
      TENACITTY_RUNTIME_DIR: '/run/kept',
      TENACITTY_API_KEY_SHA256: 'a'.repeat(64),
    };
    const placeEnv = { TENACITTY_DATA_DIR: join(cwd, 'kept'), TENACITTY_RUNTIME_DIR: '/run/kept' };
    expect(options({ env }).engine.placeEnv).toEqual(placeEnv);
    expect(options({ env: placeEnv }).engine.placeEnv).toEqual(placeEnv);
  });

  it('are refused if TENACITTY_DATA_DIR can never work, except for commands that store nothing there', () => {
    const file = writeEnv('', 'a-file');
    for (const isServing of [true, false]) {
      expect(refusal({ env: { TENACITTY_DATA_DIR: join(file, 'below') }, isServing })).toMatchObject({
        details: { issues: [{ field: 'TENACITTY_DATA_DIR', given: join(file, 'below') }] },
        message: expect.stringContaining(`${file} is not a directory`) as string,
      });
    }
    expect(options({ env: { TENACITTY_DATA_DIR: file, TENACITTY_PERSISTENT: 'false' } }).dataDir).toBe(file);
    expect(options({ env: { TENACITTY_DATA_DIR: join(cwd, 'not', 'yet') } }).dataDir).toBe(join(cwd, 'not', 'yet'));
  });

  onLinux('are refused if TENACITTY_DATA_DIR is in a read-only file system', () => {
    const { message } = refusal({ env: { TENACITTY_DATA_DIR: '/proc/nope/below' } });
    expect(message).toContain(
      'TENACITTY_DATA_DIR is "/proc/nope/below" (environment), but nothing can be created in /proc',
    );
  });

  it('contain the byte limit that fits the line limit unless one is set', () => {
    expect(options({ argv: ['--max-buffer-size=100000'] }).engine.maxBufferBytes).toBe(40_000_000);
    expect(options({ argv: ['--max-buffer-bytes=70000'] }).engine.maxBufferBytes).toBe(70_000);
  });

  it('accept every documented default given explicitly, from any source', () => {
    const documented = SETTING_NAMES.filter((name) => SETTINGS[name].fallback);
    const asFlags = documented.map((name) => `${flagOf(name)}=${SETTINGS[name].fallback}`);
    const asEnv = Object.fromEntries(documented.map((name) => [name, SETTINGS[name].fallback!]));
    const { origins: _default, ...defaults } = options();
    expect(options({ argv: asFlags })).toMatchObject(defaults);
    expect(options({ env: asEnv })).toMatchObject(defaults);
  });

  it('accept times and sizes with a unit, and plain numbers as before', () => {
    const env = {
      ...{ TENACITTY_SESSION_TIMEOUT: '24h', TENACITTY_KILL_GRACE_MS: '500ms', TENACITTY_MAX_DISK_AGE: '1000' },
      ...{ TENACITTY_MAX_DISK_BYTES: '256M', TENACITTY_MAX_INPUT_BYTES: '4096', TENACITTY_MAX_ENV_BYTES: '1KiB' },
    };
    expect(options({ env, argv: ['--max-body-bytes=2m'] })).toMatchObject({
      maxBodyBytes: 2 << 20,
      engine: {
        ...{ sessionTimeoutMs: 86_400_000, killGraceMs: 500, maxDiskAgeMs: 1000 },
        ...{ maxDiskBytes: 256 << 20, maxInputBytes: 4096, maxEnvBytes: 1024 },
      },
    });
  });

  it('are either created or refused with INVALID_INPUT, for any input', () => {
    const name = fc.constantFrom(...SETTING_NAMES);
    const word = fc.oneof(
      fc.string(),
      fc.tuple(name, fc.string()).map(([n, text]) => `${flagOf(n)}=${text}`),
    );
    const env = fc.dictionary(name, fc.string());
    fc.assert(
      fc.property(fc.array(word), env, (argv, variables) => {
        const known = argv.filter((text) => !text.startsWith('--settings-file'));
        try {
          resolved({ argv: known, env: { TENACITTY_DATA_DIR: cwd, ...variables } });
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_INPUT' });
        }
      }),
    );
  });
});
