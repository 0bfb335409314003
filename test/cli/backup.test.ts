/** Tests the commands of docs/deployment.md that back up a data directory and restore it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, readKeyFile } from '../../src/access/key-file.js';
import { resolveOptions } from '../../src/config.js';
import type * as engine from '../../src/engine.js';
import { BUILD } from '../build.js';
import { eventually } from '../eventually.js';
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

it('restores keys, and the history of terminals that had ended and of those that were running', async () => {
  const dataDir = place.env['TENACITTY_DATA_DIR']!;
  const ended = await place.ended('seq 3; exit 5');
  const running = await place.open('seq 200; exec cat');
  // Lines reach the disk soon after they have left the screen; a backup taken before that lacks them.
  await eventually(async () => (await place.manager.stats(running)).history.savedLines > 150);
  const { stored } = createKey(dataDir, 'saved');
  const copy = join(place.directory, 'copy');
  mkdirSync(copy, { mode: 0o700 });
  runDocumented('tar --create', dataDir);
  // As with kill-server: a copy ends the processes of its terminals, as if their host had been killed.
  await place.manager.kill(running);
  runDocumented('tar --extract', copy);
  expect(readdirSync(copy)).not.toContain('hosts');
  expect(readKeyFile(copy).keys).toEqual([stored]);

  const { openEngine } = (await import(join(BUILD, 'engine.js'))) as typeof engine;
  const argv = ['--data-dir', copy, '--runtime-dir', join(place.directory, 'run2')];
  const restored = await openEngine(resolveOptions({ argv, env: {}, cwd: '/' }).options);
  try {
    expect(await restored.list()).toMatchObject([
      { id: ended, status: 'exited', exitCode: 5 },
      { id: running, status: 'lost' },
    ]);
    expect((await restored.read(ended)).output).toBe('1\n2\n3');
    expect((await restored.read(running)).output).toMatch(/^ready\n1\n2\n[^]*\n149\n150/);
  } finally {
    await restored.shutdown(0);
  }
});
