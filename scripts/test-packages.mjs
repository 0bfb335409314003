/**
 * Installs programs that tests run and that are not part of the project: each folder here has its own lock file.
 * Install scripts of packages are not run. Needs only Node.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hash, readStamp, ROOT, run, say } from './setup.mjs';

/** Installed for all runs, and additionally for the deep run: two gigabytes. */
const FOLDERS = [join('test', 'agents'), join('test', 'page')];
const DEEP_FOLDERS = [
  join('test', 'agents-deep'),
  join('test', 'tools'),
  join('test', 'generators'),
  join('test', 'mcp-clients'),
];
const TIME_LIMIT_MS = 10 * 60_000;

/** Installs exactly what the lock files specify, unless that is installed already. */
export function installTestPackages({ isDeep }) {
  for (const folder of isDeep ? [...FOLDERS, ...DEEP_FOLDERS] : FOLDERS) installFolder(join(ROOT, folder), folder);
}

function installFolder(path, name) {
  const stamp = join(path, 'node_modules', '.tenacitty-installed');
  const wanted = hash(readFileSync(join(path, 'package-lock.json')));
  if (readStamp(stamp) === wanted) return;
  say(`installing the packages of ${name} (npm install; once) …`);
  // Not `npm ci`, which rejects a lock file that lacks the packages for other platforms, and not every registry serves
  // those.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', args, `Could not install the packages of ${name}.`, { cwd: path, timeout: TIME_LIMIT_MS });
  writeFileSync(stamp, wanted);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installTestPackages({ isDeep: true });
