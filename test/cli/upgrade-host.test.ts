/** Tests that `tenacitty upgrade-host` refuses a downgrade, when the running host is of a newer version. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../src/version.js';
import { BUILD } from '../build.js';
import { eventually } from '../eventually.js';
import { Place } from './place.js';

const NEWER = '999.0.0';
const ROOT = join(import.meta.dirname, '..', '..');

let newer: string;
let place: Place;
beforeAll(async () => {
  newer = mkdtempSync(join(tmpdir(), 'tenacitty-newer-'));
  // With its times, so that the code that was compiled before is used.
  cpSync(BUILD, join(newer, 'dist'), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(ROOT, 'node_modules'), join(newer, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  writeFileSync(join(newer, 'package.json'), JSON.stringify({ ...manifest, version: NEWER }));
  place = await new Place().ready();
});
afterAll(async () => {
  await place.close();
  await eventually(removed);
});

/** A host that is ending may still write the code that it has compiled. */
function removed(): boolean {
  try {
    rmSync(newer, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

it('names the required version, and leaves the host and its terminals unchanged', async () => {
  const main = join(newer, 'dist', 'cli', 'main.js');
  const words = [main, 'new', '--', 'sleep', '1000'];
  const id = execFileSync(process.execPath, words, { env: place.env, encoding: 'utf8' }).trim();
  const before = await place.stdout('doctor', '--json').catch((error: Error) => error.message);
  expect(before).toContain(NEWER);
  const { code, stdout, stderr } = await place.run('upgrade-host');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(
    `Host 0 has version ${NEWER}, which is newer than this tenacitty (${VERSION}). Nothing was changed.`,
  );
  expect(await place.manager.get(id)).toMatchObject({ status: 'active' });
});
