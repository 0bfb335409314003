/**
 * Programs that tests run and that are no part of the project: each folder here has a lock file of its own. No package
 * runs a script while it is installed. Needs nothing but Node.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hash, readStamp, ROOT, run, say } from './setup.mjs';

/** Of all runs, and of the deep one besides: two gigabytes. */
const FOLDERS = [join('test', 'agents')];
const DEEP_FOLDERS = [join('test', 'agents-deep'), join('test', 'tools'), join('test', 'mcp-clients')];
const TIME_LIMIT_MS = 10 * 60_000;

/** Installs exactly what the lock files say, unless that was done already. */
export function installTestPackages({ isDeep }) {
  for (const folder of isDeep ? [...FOLDERS, ...DEEP_FOLDERS] : FOLDERS) installFolder(join(ROOT, folder), folder);
}

function installFolder(path, name) {
  const stamp = join(path, 'node_modules', '.tenacitty-installed');
  const wanted = hash(readFileSync(join(path, 'package-lock.json')));
  if (readStamp(stamp) === wanted) return;
  say(`installing what ${name} wants (npm install; once) …`);
  // Not `npm ci`: it refuses a lock file without the packages for other platforms, which not every registry serves.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', args, `The packages of ${name} could not be installed.`, { cwd: path, timeout: TIME_LIMIT_MS });
  writeFileSync(stamp, wanted);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installTestPackages({ isDeep: true });
