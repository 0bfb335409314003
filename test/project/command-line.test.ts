/** Tests the server and its keys on the command line: start, refused starts, stop. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { VERSION } from '../../src/version.js';
import { CommandLine } from './command-line.js';
import { shortlyNamed } from '../cli/place.js';
import { whereLinux } from '../where.js';

const { it: onLinux } = whereLinux();

let cwd: string;
const running: CommandLine[] = [];
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'tenacitty-cli-'))));
afterEach(async () => {
  for (const command of running) command.child.kill('SIGKILL');
  await Promise.all(running.splice(0).map((command) => command.ended()));
  rmSync(cwd, { recursive: true, force: true });
});

function tenacitty(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  by: readonly string[] = [],
): CommandLine {
  const command = new CommandLine(cwd, args, env, by);
  running.push(command);
  return command;
}
const run = (...args: string[]) => tenacitty(args).ended();

const DEAF_READER = join(import.meta.dirname, '..', 'fixtures', 'programs', 'deaf-reader.py');
/** Their log entries, of 450 bytes each, exceed what a pipe or a socket buffers. */
const LOGGED_REQUESTS = 600;

/** Starts a program that only SIGKILL ends, and returns its pid. */
async function startStubborn(url: string): Promise<number> {
  const script = "trap '' TERM HUP; echo ready; while :; do sleep 1; done";
  const body = JSON.stringify({ command: 'sh', args: ['-c', script] });
  const headers = { 'Content-Type': 'application/json' };
  const created = await fetch(`${url}/api/terminals`, { method: 'POST', headers, body });
  const { data } = (await created.json()) as { data: { terminalId: string; pid: number } };
  const output = await fetch(`${url}/api/terminals/${data.terminalId}/output?timeoutMs=30000`);
  expect(await output.text()).toContain('ready');
  return data.pid;
}

/** Sends all requests over one connection, with long paths, of which the log keeps a limited length. */
async function haveMuchLogged(url: string): Promise<void> {
  const { host, hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const request = `GET /${'x'.repeat(1000)} HTTP/1.1\r\nHost: ${host}\r\n`;
  socket.write(`${request}\r\n`.repeat(LOGGED_REQUESTS - 1));
  socket.write(`${request}Connection: close\r\n\r\n`);
  const answers = await text(socket);
  expect(answers.match(/HTTP\/1\.1 404 /g)).toHaveLength(LOGGED_REQUESTS);
}

it('prints its version', async () => {
  expect(await run('--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

it('prints help without arguments, and starts nothing', async () => {
  expect(await run()).toEqual({ code: 0, stdout: expect.stringContaining('Usage: tenacitty COMMAND'), stderr: '' });
});

describe('usage errors', () => {
  it.each([
    [['serv'], 'Unknown command serv. Did you mean serve?'],
    [['key'], 'create|list|revoke is missing. See tenacitty help key.'],
    [['key', 'remove'], 'Unknown key command remove.'],
    [['key', 'revoke'], 'KEY is missing.'],
    [['key', 'revoke', 'nobody'], 'There is no key "nobody"'],
    [['key', '--name', ''], '--name: expected some text'],
    [['serve', '--prot', '0'], 'Unknown flag --prot. Did you mean --port?'],
    [['--port', '0'], '--port: expected a command first, for example tenacitty serve --port 0.'],
    [
      ['--data-dir', 'a b', 'ls', '-q'],
      "--data-dir: expected a command first, for example tenacitty ls -q --data-dir 'a b'.",
    ],
    [['serve', '--port', 'http'], 'TENACITTY_PORT is "http" (flag --port)'],
    [['serve', '--host', '0.0.0.0'], 'npm run key'],
  ])('are reported in words: %j', async (args, message) => {
    const { code, stdout, stderr } = await tenacitty(args, { TENACITTY_PORT: '0' }).ended();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(shortlyNamed(stderr)).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('errors of the system', () => {
  it.each([
    [['serve', '--log-file', '/nowhere/log'], 'TENACITTY_LOG_FILE /nowhere/log cannot be opened'],
    [
      ['serve', '--host', '192.0.2.1', '--api-key-sha256', 'a'.repeat(64)],
      'TENACITTY_HOST 192.0.2.1 (flag --host) is not an address',
    ],
  ])('is reported in words: %j', async (args, message) => {
    const { code, stderr } = await tenacitty(args, { TENACITTY_PORT: '0' }).ended();
    expect(code).toBe(1);
    expect(shortlyNamed(stderr)).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('tenacitty key', () => {
  it('prints only a key on stdout, lists it without its value, and revokes it', async () => {
    const made = await run('key', 'create', '--name', 'laptop');
    expect(made.stdout).toMatch(/^tnc_\S{43}\n$/);
    expect(made.stderr).not.toContain(made.stdout.trim());
    const listed = JSON.parse((await run('key', 'list', '--json')).stdout) as { id: string; name: string }[];
    const [id, created]: unknown[] = [expect.any(String), expect.any(String)];
    expect(listed).toEqual([{ id, name: 'laptop', created, expires: null, lastUsed: null }]);
    expect((await run('key', 'list')).stdout).toContain('laptop');
    expect((await run('key', 'revoke', listed[0]!.id)).code).toBe(0);
    expect(await run('key', 'list')).toMatchObject({ stdout: '', stderr: expect.stringContaining('no keys') });
  });

  it('creates the first key even if the settings require one', async () => {
    const { code } = await tenacitty(['key', 'create', '--data-dir=keys'], { TENACITTY_HOST: '0.0.0.0' }).ended();
    expect(code).toBe(0);
    expect(statSync(join(cwd, 'keys', 'keys.json')).mode & 0o777).toBe(0o600);
  });
});

describe('tenacitty serve', () => {
  onLinux('starts on any free port and shows how to try it, in a line that works when pasted', async () => {
    const server = tenacitty(['serve', '--port', '0']);
    const url = await server.url();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const [, pasted] = await server.says(/Try +(curl .*)$/m);
    const answer = JSON.parse(execFileSync('bash', ['-c', pasted!]).toString()) as { success: boolean };
    expect(answer.success).toBe(true);
    expect(server.stderr).toContain(join(cwd, 'data'));
    expect(server.stderr).toContain(`kill ${server.child.pid}`);
    expect(server.stdout).toBe('');
  });

  it('serves other machines once there is a key, and only with it', async () => {
    const key = (await run('key', 'create')).stdout.trim();
    const server = tenacitty(['serve', '--host', '0.0.0.0', '--port=0', '--trust-local=false']);
    const url = await server.url();
    expect((await fetch(`${url}/api/health`)).status).toBe(401);
    expect((await fetch(`${url}/api/health`, { headers: { 'X-API-Key': key } })).status).toBe(200);
  });

  it('names the settings file, and warns of unknown settings', async () => {
    writeFileSync(join(cwd, '.env'), 'TENACITTY_PORT=0\nTENACITTY_MAX_TERMINAL=5\n');
    const server = tenacitty(['serve']);
    await server.url();
    expect(server.stderr).toContain('unknown setting TENACITTY_MAX_TERMINAL. Did you mean TENACITTY_MAX_TERMINALS?');
    expect(server.stderr).toMatch(/Settings +\S+\.env \(TENACITTY_PORT\)/);
  });

  onLinux('names the process that uses a port, with advice', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run('serve', '--port', String(port));
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} is in use by process ${process.pid} (`);
    expect(stderr).toContain(`--port ${port + 1}`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('logs to TENACITTY_LOG_FILE, which no other user can read, without keys', async () => {
    const key = (await run('key', 'create')).stdout.trim();
    const server = tenacitty(['serve', '--port=0', '--log-file=server.log', '--log-level=debug']);
    await fetch(`${await server.url()}/api/terminals`, { headers: { Authorization: `Bearer ${key}` } });
    server.child.kill('SIGTERM');
    await server.ended();
    const file = join(cwd, 'server.log');
    const log = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
    expect(log).toContain('Listening');
    expect(log).not.toContain(key);
  });

  it('serves HTTPS with a certificate', async () => {
    execFileSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost'],
      ...['-keyout', join(cwd, 'key.pem'), '-out', join(cwd, 'cert.pem')],
    ]);
    const server = tenacitty(['serve', '--port=0', '--tls-cert=cert.pem', '--tls-key=key.pem', '--host=localhost']);
    const url = await server.url();
    expect(url).toMatch(/^https:/);
    const health = execFileSync('curl', ['-s', '--cacert', join(cwd, 'cert.pem'), `${url}/api/health`]);
    expect(JSON.parse(health.toString())).toMatchObject({ success: process.platform === 'linux' });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops cleanly on %s', async (signal) => {
    const server = tenacitty(['serve', '--port=0']);
    const url = await server.url();
    server.child.kill(signal);
    expect((await server.ended()).code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  onLinux('stops at once on a second signal, even if a program does not end', async () => {
    const server = tenacitty(['serve', '--port=0', '--kill-grace-ms=60000']);
    const pid = await startStubborn(await server.url());
    server.child.kill('SIGTERM');
    await server.says(/a second time forces it[\s\S]*a second time forces it/);
    server.child.kill('SIGTERM');
    expect((await server.ended()).code).toBe(1);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  onLinux('ends all programs even if its output is no longer read', async () => {
    const server = tenacitty(['serve', '--port=0', '--kill-grace-ms=100', '--log-level=debug']);
    const pid = await startStubborn(await server.url());
    server.child.stderr!.destroy();
    server.child.kill('SIGTERM');
    expect((await server.ended()).code).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  onLinux('answers and stops even if its log is not read', async () => {
    const server = tenacitty(['serve', '--port=0', '--log-level=debug']);
    const url = await server.url();
    server.child.stderr!.pause();
    await haveMuchLogged(url);
    server.child.kill('SIGTERM');
    expect(await once(server.child, 'exit')).toEqual([0, null]);
    server.child.stderr!.resume();
  });

  onLinux('answers and stops even if it shares its stderr with a process that blocks it', async () => {
    const server = tenacitty(['serve', '--port=0', '--log-level=debug'], {}, ['python3', DEAF_READER]);
    const url = await server.url();
    const [, pid] = await server.says(/pid=(\d+) is not heard any more/);
    await haveMuchLogged(url);
    process.kill(Number(pid), 'SIGTERM');
    await server.says(/exit=0/);
  });
});
