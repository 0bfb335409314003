/** Settings: which source wins, what is refused and how it is said, what comes out. Files are real. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { resolveOptions } from '../src/config.js';
import type { SettingSources } from '../src/config.js';
import { flagOf, SETTING_NAMES, SETTINGS } from '../src/config/settings.js';
import type { SettingName } from '../src/config/settings.js';
import { createKey } from '../src/access/key-file.js';
import { TerminalError } from '../src/errors.js';
import { DEFAULT_ENGINE_OPTIONS } from '../src/terminal/options.js';
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
  it('are those of the original specification, but for HOST', () => {
    expect(options()).toMatchObject({ port: 3001, host: '127.0.0.1', logLevel: 'info', corsOrigins: '*' });
    expect(options().engine).toMatchObject({ maxBufferLines: 10_000, sessionTimeoutMs: 86_400_000 });
  });

  it('are the engine’s own where the engine has them', () => {
    const { log: _log, defaultShell: _shell, withheldEnv: _names, ...rest } = DEFAULT_ENGINE_OPTIONS;
    const { historyDir: _directory, historyRoot: _root, shellDir: _shells, ...limits } = rest;
    expect(options().engine).toMatchObject(limits);
  });

  it('keep data where XDG_DATA_HOME says, and ignore it when it is relative', () => {
    const home = join(homedir(), '.local/share/tenacitty');
    expect(options({ env: { XDG_DATA_HOME: '/data' } }).dataDir).toBe('/data/tenacitty');
    expect(options({ env: { XDG_DATA_HOME: 'data' } }).dataDir).toBe(home);
    expect(options().dataDir).toBe(home);
  });

  it('take the shell of the user’s $SHELL, without calling it our setting', () => {
    const withShell = options({ env: { SHELL: '/bin/sh' } });
    expect(withShell.engine.defaultShell).toBe('/bin/sh');
    expect(withShell.engine.withheldEnv).not.toContain('SHELL');
    expect(withShell.origins.SHELL_PATH).toBe('default');
  });
});

describe('sources', () => {
  it('rank flags over environment over file over defaults, and each value’s origin is kept', () => {
    const path = writeEnv('# ours\nPORT=1\nHOST=127.0.0.2\n\nLOG_LEVEL=warn\n');
    const { port, host, logLevel, origins } = options({ argv: ['--port', '3'], env: { PORT: '2', HOST: '127.0.0.3' } });
    expect({ port, host, logLevel }).toEqual({ port: 3, host: '127.0.0.3', logLevel: 'warn' });
    expect(origins).toMatchObject({
      PORT: 'flag --port',
      HOST: 'environment',
      LOG_LEVEL: `file ${path}:5`,
      RATE_LIMIT: 'default',
    });
  });

  it('read flags with = and without, switches alone, and the last of a repeated one', () => {
    const argv = ['--max-buffer-size=500', '--port', '1', '--port=0', '--trust-local', 'false'];
    expect(options({ argv })).toMatchObject({ port: 0, trustLocal: false, engine: { maxBufferLines: 500 } });
    expect(options({ argv: ['--trust-local', '--port=7'], env: { TRUST_LOCAL: 'false' } })).toMatchObject({
      trustLocal: true,
      port: 7,
    });
  });

  it('take the place of the terminal we are in, above the file and below what is said outright', () => {
    writeEnv('DATA_DIR=/of/the/file\nRUNTIME_DIR=/of/the/file\n');
    const around = { TENACITTY_DATA_DIR: '/around', TENACITTY_RUNTIME_DIR: '/around/run', TENACITTY_PORT: '7' };
    const inside = options({ env: around });
    expect(inside).toMatchObject({ dataDir: '/around', runtimeDir: '/around/run', port: 3001 });
    expect(inside.origins.DATA_DIR).toBe('environment, as TENACITTY_DATA_DIR');
    expect(options({ env: { ...around, DATA_DIR: '/said' } })).toMatchObject({
      dataDir: '/said',
      runtimeDir: '/around/run',
    });
    expect(options({ argv: ['--data-dir', '/flag'], env: around }).dataDir).toBe('/flag');
  });

  it('take an empty variable or line as not set', () => {
    writeEnv('MAX_TERMINALS=\n');
    expect(options({ env: { PORT: '' } })).toMatchObject({ port: 3001, engine: { maxTerminals: 512 } });
  });

  it('read another file when --settings-file names one, and count the last of repeated lines', () => {
    writeEnv('PORT=1\n');
    const path = writeEnv('PORT=4\nexport PORT="5" # five\n', 'other.env');
    const { port, origins, envFile } = options({ argv: ['--settings-file', 'other.env'] });
    expect({ port, origin: origins.PORT, envFile }).toEqual({ port: 5, origin: `file ${path}:2`, envFile: path });
  });

  it('refuse to start when a named file is missing', () => {
    expect(refusal({ argv: ['--settings-file=nowhere.env'] }).message).toContain(join(cwd, 'nowhere.env'));
  });

  it('refuse a file that is a pipe, and do not wait for it', () => {
    execFileSync('mkfifo', [join(cwd, '.env')]);
    expect(refusal({}).message).toContain('it is not a regular file');
  });

  it('warn of unknown settings in the file, with a guess, and start all the same', () => {
    const path = writeEnv('MAX_BUFER_SIZE=5\nDATABASE=x\n');
    expect(resolved().warnings).toEqual([
      `${path}:1: unknown setting MAX_BUFER_SIZE. Did you mean MAX_BUFFER_SIZE?`,
      `${path}:2: unknown setting DATABASE.`,
    ]);
  });

  it('never touch the environment of the process', () => {
    writeEnv('API_KEY_SHA256=' + 'a'.repeat(64));
    const before = { ...process.env };
    resolved();
    expect(process.env).toEqual(before);
  });
});

describe('refusals', () => {
  it('name every bad setting at once, with value, expectation and origin', () => {
    const path = writeEnv('LOG_LEVEL=loud\n');
    const { message, details } = refusal({ argv: ['--port=http', '--prot=3'], env: { SESSION_TIMEOUT: '-1' } });
    expect(message.split('\n')).toEqual([
      '4 settings cannot be used:',
      '  --prot unknown flag. Did you mean --port?',
      '  PORT is "http" (flag --port); expected a whole number from 0 to 65535',
      '  SESSION_TIMEOUT is "-1" (environment); expected a whole number from 0 to ' +
        '9007199254740991 (milliseconds, 0 = never)',
      `  LOG_LEVEL is "loud" (file ${path}:1); expected error, warn, info or debug`,
    ]);
    expect(details['issues']).toContainEqual(expect.objectContaining({ field: 'PORT', given: 'http' }));
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
    ['PORT', '65536'],
    ['PORT', '1e3'],
    ['PORT', ' 80'],
    ['HOST', 'http://localhost'],
    ['MAX_BUFFER_SIZE', '0'],
    ['KILL_GRACE_MS', '60001'],
    ['CORS_ORIGIN', 'null'],
    ['CORS_ORIGIN', 'https://a.example/path'],
    ['CORS_ORIGIN', 'https://a.example, *'],
    ['CORS_ORIGIN', ','],
    ['ALLOWED_HOSTS', 'https://a.example'],
    ['API_KEY_SHA256', 'abc'],
    ['TRUST_LOCAL', 'yes'],
    ['SHELL_PATH', '/nowhere/sh'],
    ['SHELL_PATH', '/etc/passwd'],
    ['SHELL_PATH', '/etc'],
    ['TLS_CERT', '/etc/hostname'],
    ['TLS_KEY', '/etc/hostname'],
    ['MAX_PENDING_INPUT_BYTES', '1'],
  ])('refuse %s=%s and name it', (name, value) => {
    expect(refusal({ env: { [name]: value } }).message).toContain('cannot be used:');
    expect(refusal({ env: { [name]: value } }).message).toContain(name);
  });

  it('refuse a certificate that is none', () => {
    const file = writeEnv('not a certificate', 'cert.pem');
    const { message } = refusal({ env: { TLS_CERT: file, TLS_KEY: file } });
    expect(message).toContain('TLS_CERT (environment) and TLS_KEY (environment) cannot be used for HTTPS');
  });
});

describe('listening beyond this machine', () => {
  const dataDir = () => join(cwd, 'data');

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '::ffff:10.0.0.1'])(
    'is refused on %s without an API key, and says what to do',
    (host) => {
      const { message } = refusal({ env: { HOST: host, DATA_DIR: dataDir() } });
      expect(message).toContain(`HOST is ${host} (environment)`);
      expect(message).toContain('npm run key');
    },
  );

  it.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('is not what %s means', (host) => {
    expect(options({ env: { HOST: host } }).host).toBe(host);
  });

  it('does not hinder a command that does not listen, as the one that makes the first key', () => {
    expect(options({ env: { HOST: '0.0.0.0', DATA_DIR: dataDir() }, isServing: false }).dataDir).toBe(dataDir());
  });

  it('can be asked for in a directory that was removed', () => {
    const before = process.cwd();
    const gone = mkdtempSync(join(tmpdir(), 'tenacitty-gone-'));
    process.chdir(gone);
    rmSync(gone, { recursive: true });
    try {
      expect(resolveOptions({ env: { DATA_DIR: '/data' }, isServing: false }).options.dataDir).toBe('/data');
    } finally {
      process.chdir(before);
    }
  });

  it('lets a foreign .env say what it likes to a command that does not listen', () => {
    const named = join(cwd, '.env');
    writeFileSync(named, 'LOG_LEVEL=trace\nHISTORY=memory\n');
    expect(options({ isServing: false })).toMatchObject({ logLevel: 'info', engine: { historyPlace: 'memory' } });
    expect(() => options({ isServing: false, argv: ['--settings-file', named] })).toThrow('LOG_LEVEL');
    expect(() => options()).toThrow('LOG_LEVEL');
  });

  it('is allowed with a key in the key file', () => {
    createKey(dataDir(), 'laptop');
    expect(options({ env: { HOST: '0.0.0.0', DATA_DIR: dataDir() } }).host).toBe('0.0.0.0');
  });

  it('is allowed with a key hash as a setting', () => {
    const env = { HOST: '0.0.0.0', DATA_DIR: dataDir(), API_KEY_SHA256: 'A'.repeat(64) };
    expect(options({ env }).apiKeyHashes).toEqual(['a'.repeat(64)]);
  });
});

describe('options', () => {
  it('are frozen, all the way down', () => {
    const frozen = options({ env: { ALLOWED_HOSTS: 'a.example, b.example:8080' } });
    expect(frozen.allowedHosts).toEqual(['a.example', 'b.example:8080']);
    for (const value of [frozen, frozen.engine, frozen.allowedHosts, frozen.origins, frozen.engine.withheldEnv]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });

  it('resolve paths from the working directory and from ~', () => {
    const { dataDir, logFile } = options({ env: { DATA_DIR: '~/kept', LOG_FILE: 'logs/a.log' } });
    expect({ dataDir, logFile }).toEqual({ dataDir: join(homedir(), 'kept'), logFile: join(cwd, 'logs/a.log') });
  });

  asRoot('need no home directory where DATA_DIR is set, and say so where it is not', () => {
    const script = join(cwd, 'resolve.mjs');
    const source = join(import.meta.dirname, '..', 'src', 'config.ts');
    const call = 'process.setuid(12_345);\nconsole.log(resolveOptions({ cwd: "/" }).options.dataDir);';
    writeFileSync(script, `import { resolveOptions } from ${JSON.stringify(source)};\n${call}`);
    const tsx = createRequire(import.meta.url).resolve('tsx');
    const run = (env: Record<string, string>) => spawnSync(process.execPath, ['--import', tsx, script], { env });
    expect(run({ DATA_DIR: '/data' }).stdout.toString()).toBe('/data\n');
    expect(run({}).stderr.toString()).toContain('set DATA_DIR');
  });

  it('withhold every setting of ours from programs', () => {
    expect(options().engine.withheldEnv).toEqual(SETTING_NAMES);
  });

  it('tell programs where their terminals are held, unless that is the usual place', () => {
    expect(options().engine.placeEnv).toEqual({});
    const env = { DATA_DIR: 'kept', RUNTIME_DIR: '/run/kept', API_KEY_SHA256: 'a'.repeat(64) };
    const placeEnv = { TENACITTY_DATA_DIR: join(cwd, 'kept'), TENACITTY_RUNTIME_DIR: '/run/kept' };
    expect(options({ env }).engine.placeEnv).toEqual(placeEnv);
    expect(options({ env: placeEnv }).engine.placeEnv).toEqual(placeEnv);
  });

  it('are refused where DATA_DIR can never be, but for who keeps nothing there', () => {
    const file = writeEnv('', 'a-file');
    for (const isServing of [true, false]) {
      expect(refusal({ env: { DATA_DIR: join(file, 'below') }, isServing })).toMatchObject({
        details: { issues: [{ field: 'DATA_DIR', given: join(file, 'below') }] },
        message: expect.stringContaining(`${file} is not a directory`) as string,
      });
    }
    expect(options({ env: { DATA_DIR: file, PERSISTENT: 'false' } }).dataDir).toBe(file);
    expect(options({ env: { DATA_DIR: join(cwd, 'not', 'yet') } }).dataDir).toBe(join(cwd, 'not', 'yet'));
  });

  onLinux('are refused where DATA_DIR is in a file system that takes nothing', () => {
    const { message } = refusal({ env: { DATA_DIR: '/proc/nope/below' } });
    expect(message).toContain('DATA_DIR is "/proc/nope/below" (environment), but nothing can be made in /proc');
  });

  it('give the byte limit that fits the line limit unless one is set', () => {
    expect(options({ argv: ['--max-buffer-size=100000'] }).engine.maxBufferBytes).toBe(40_000_000);
    expect(options({ argv: ['--max-buffer-bytes=70000'] }).engine.maxBufferBytes).toBe(70_000);
  });

  it('accept every documented default given by hand, from any source', () => {
    const documented = SETTING_NAMES.filter((name) => SETTINGS[name].fallback);
    const asFlags = documented.map((name) => `${flagOf(name)}=${SETTINGS[name].fallback}`);
    const asEnv = Object.fromEntries(documented.map((name) => [name, SETTINGS[name].fallback!]));
    const { origins: _default, ...defaults } = options();
    expect(options({ argv: asFlags })).toMatchObject(defaults);
    expect(options({ env: asEnv })).toMatchObject(defaults);
  });

  it('are either made or refused with INVALID_INPUT, whatever is given', () => {
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
          resolved({ argv: known, env: { DATA_DIR: cwd, ...variables } });
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_INPUT' });
        }
      }),
    );
  });
});
