/** Tests SIGHUP, as service managers and logrotate send it, and as the kernel sends it when a terminal is closed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { CommandLine } from '../project/command-line.js';
import { Place } from './place.js';
import { whereLinux } from '../where.js';

/** Starts a program in its own session, without a controlling terminal, as services are. */
const WITHOUT_TERMINAL = ['setsid'];
const { it: onLinux } = whereLinux();

let cwd: string;
let server: CommandLine | undefined;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'tenacitty-reload-'))));
afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended();
  server = undefined;
  rmSync(cwd, { recursive: true, force: true });
});

function start(...flags: string[]): CommandLine {
  return (server = new CommandLine(cwd, ['serve', '--port=0', ...flags], {}, WITHOUT_TERMINAL));
}

function makeCertificate(name: string): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`],
      ...['-keyout', join(cwd, 'key.pem'), '-out', join(cwd, 'cert.pem')],
    ],
    { stdio: 'ignore' },
  );
}

async function nameShownBy(url: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

describe('SIGHUP to a server without a controlling terminal', () => {
  onLinux('opens a new log file if the old one was moved away', async () => {
    const [log, old] = [join(cwd, 'server.log'), join(cwd, 'server.log.1')];
    const url = await start('--log-file=server.log').url();
    await fetch(`${url}/healthz`);
    renameSync(log, old);
    server!.child.kill('SIGHUP');
    await eventually(() => existsSync(log));
    await fetch(`${url}/readyz`);
    await eventually(() => readFileSync(log, 'utf8').includes('"path":"/readyz"'));
    const before = readFileSync(old, 'utf8');
    expect([before.includes('"path":"/healthz"'), before.includes('"path":"/readyz"')]).toEqual([true, false]);
  });

  onLinux(
    'uses the present certificate for new connections, and keeps the old one if the new one is invalid',
    async () => {
      makeCertificate('first.example');
      const url = await start('--tls-cert=cert.pem', '--tls-key=key.pem', '--log-file=server.log').url();
      expect(await nameShownBy(url)).toBe('first.example');
      makeCertificate('second.example');
      server!.child.kill('SIGHUP');
      await eventually(async () => (await nameShownBy(url)) === 'second.example');
      writeFileSync(join(cwd, 'cert.pem'), 'broken');
      server!.child.kill('SIGHUP');
      const log = join(cwd, 'server.log');
      await eventually(() =>
        readFileSync(log, 'utf8').includes(
          'TENACITTY_TLS_CERT and TENACITTY_TLS_KEY cannot be used; the previous certificate stays in use',
        ),
      );
      expect(await nameShownBy(url)).toBe('second.example');
    },
  );
});

it('SIGHUP to a server in a terminal ends it, as closing that terminal does', async () => {
  const place = await new Place().ready();
  const program = place.inTerminal(['serve']);
  await program.until(/is at http[^]*Stop/);
  process.kill(program.pty.pid, 'SIGHUP');
  expect(await program.exited).toEqual({ exitCode: 0, signal: null });
  await place.close();
});
