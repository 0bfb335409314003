/** Tests the commands of docs/deployment.md that back up a data directory and restore it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const page = readFileSync('docs/deployment.md', 'utf8');

/** Runs the documented command that contains `word`, with other paths, and without another user. */
function runDocumented(word: string, dataDir: string): void {
  const line = page.split('\n').find((one) => one.includes(word))!;
  const command = line
    .replace('sudo -u tenacitty ', '')
    .replace('/var/lib/tenacitty', dataDir)
    .replace('backup.tar.gz', join(place.directory, 'backup.tar.gz'));
  execFileSync('sh', ['-c', command]);
}

it('restores keys, and the history of ended and running terminals, and reaches no process of the original', async () => {
  const ended = await place.ended('seq 3; exit 5');
  const running = await place.open('exec cat');
  const key = (await place.stdout('key', 'create', '--name', 'saved')).trim();
  const copy = join(place.directory, 'copy');
  mkdirSync(copy, { mode: 0o700 });
  runDocumented('tar --create', place.env['TENACITTY_DATA_DIR']!);
  runDocumented('tar --extract', copy);
  expect(readdirSync(copy)).not.toContain('hosts');

  const at = ['--data-dir', copy, '--runtime-dir', join(place.directory, 'run2')];
  const listed = await place.stdout('ls', ...at, '--format', '{{id}} {{status}} {{exitCode}}');
  expect(listed).toBe(`${ended} exited 5\n${running} lost \n`);
  expect(await place.stdout('logs', ...at, ended)).toBe('1\n2\n3\n');
  expect(await place.stdout('logs', ...at, running)).toBe('ready\n');
  expect(await place.stdout('key', 'list', ...at, '--json')).toContain('"name":"saved"');
  expect(key).toMatch(/^tnc_/);
  expect((await place.manager.get(running)).status).toBe('active');
  await place.run('kill-server', '--yes', ...at);
});
