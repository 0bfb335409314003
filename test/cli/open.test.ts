/** Tests the way to the page: `tenacitty open`, what `serve` prints, and that sign-ins outlive the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { BUILD } from '../build.js';
import { eventually } from '../eventually.js';
import { exchange, PageClient } from '../http/page-client.js';
import { CommandLine } from '../project/command-line.js';
import { whereRoot } from '../where.js';

let folder: string;
const running: CommandLine[] = [];
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tenacitty-open-'))));
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.child.kill('SIGKILL');
    await each.ended();
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): CommandLine {
  const started = new CommandLine(folder, args);
  running.push(started);
  return started;
}

const codeIn = (text: string) => /#code=([2-9A-Z]{4}-[2-9A-Z]{4})/.exec(text)?.[1];

async function linkTo(url: string): Promise<string> {
  const { stdout, code } = await run('open', '--print').ended();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#code=\w{4}-\w{4}\n$/)]);
  expect(stdout.startsWith(`${url}/#`)).toBe(true);
  return stdout.trim();
}

it('prints a link that signs in once', async () => {
  const url = await run('serve', '--port=0').url();
  const code = codeIn(await linkTo(url))!;
  expect((await exchange(url, { code })).status).toBe(201);
  expect((await exchange(url, { code })).status).toBe(401);
});

it('says that no server runs, also if one was killed', async () => {
  const server = run('serve', '--port=0');
  await server.url();
  server.child.kill('SIGKILL');
  await server.ended();
  const { code, stdout, stderr } = await run('open', '--print').ended();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('No server is using');
});

const { it: itAsRoot } = whereRoot();

itAsRoot('leads to no server of another user that listens on the port of one that was killed', async () => {
  const script = `require('http').createServer((_, response) => response.end()).listen(0, '127.0.0.1', function () {
    process.stdout.write(String(this.address().port));
  })`;
  const stranger = spawn(process.execPath, ['-e', script], { uid: 12_345, gid: 12_345, cwd: '/' });
  try {
    const port = String((await once(stranger.stdout, 'data'))[0]);
    const record = { url: `http://127.0.0.1:${port}`, started: new Date().toISOString(), persistent: true };
    mkdirSync(join(folder, 'data', 'servers'), { recursive: true, mode: 0o700 });
    // As if another process had the number of the one that was killed.
    const path = join(folder, 'data', 'servers', `${process.pid}.json`);
    writeFileSync(path, JSON.stringify({ pid: process.pid, ...record }));
    const { code, stdout } = await run('open', '--print').ended();
    expect([code, stdout]).toEqual([2, '']);
  } finally {
    stranger.kill('SIGKILL');
  }
});

it('opens a file that only the user can read, so that no program has the code among its arguments', async () => {
  const url = await run('serve', '--port=0').url();
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$@" >'${folder}/opened'\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const opening = new CommandLine(folder, ['open'], { DISPLAY: ':9', PATH: `${folder}:${process.env['PATH']}` });
  expect((await opening.ended()).stdout).toBe('');
  const opened = await eventually(() => textOf(join(folder, 'opened')));
  expect(codeIn(opened)).toBeUndefined();
  expect(statSync(opened.trim()).mode & 0o777).toBe(0o600);
  const code = codeIn(readFileSync(opened.trim(), 'utf8'))!;
  expect((await exchange(url, { code })).status).toBe(201);
});

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

it('prints a link only to a person: with the banner in a terminal, never to a file or a log', async () => {
  const server = run('serve', '--port=0', `--log-file=${join(folder, 'log')}`);
  const url = await server.url();
  expect([codeIn(server.stderr), codeIn(server.stdout)]).toEqual([undefined, undefined]);
  expect(server.stderr).toMatch(/Page +\S.* open --print$/m);
  const manager = new LocalTerminalManager();
  const env = { TENACITTY_DATA_DIR: join(folder, 'shown'), TENACITTY_RUNTIME_DIR: join(folder, 'run2') };
  const args = [
    join(BUILD, 'cli', 'main.js'),
    'serve',
    '--port=0',
    '--persistent=false',
    `--log-file=${join(folder, 'log')}`,
  ];
  const { id } = await manager.create({ command: process.execPath, args, env, cols: 200 });
  const shown = await eventually(async () => {
    const { output } = await manager.read(id);
    return output.includes('Stop') && output;
  });
  const code = codeIn(shown)!;
  const own = /is at (http:\S+)/.exec(shown)![1]!;
  expect((await exchange(own, { code })).status).toBe(201);
  expect((await exchange(url, { code })).status).toBe(401);
  expect(readFileSync(join(folder, 'log'), 'utf8')).not.toContain(code);
  await manager.shutdown(0);
});

it('keeps sign-ins when the server is killed', async () => {
  const first = run('serve', '--port=0');
  const url = await first.url();
  const page = await PageClient.signIn({ url, dataDir: join(folder, 'data') });
  first.child.kill('SIGKILL');
  await first.ended();
  const second = run('serve', `--port=${new URL(url).port}`);
  expect(await second.url()).toBe(url);
  expect((await page.ask('GET', '/api/me')).status).toBe(200);
  expect((await page.ask('POST', '/api/terminals', { command: 'true' })).status).toBe(201);
});
