/**
 * Gets a checkout ready: checks the platform, installs packages when the lock file changed, builds
 * when the sources changed. Needs nothing but Node. `node scripts/setup.mjs` installs only;
 * `node scripts/setup.mjs build` also builds.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LOCK = join(ROOT, 'package-lock.json');
const MODULES = join(ROOT, 'node_modules');
const COMPILER = join(MODULES, 'typescript', 'bin', 'tsc');
const INSTALL_STAMP = join(MODULES, '.tenacitty-installed');
const DIST = join(ROOT, 'dist');
const BUILD_STAMP = join(DIST, '.built');
const SHELL_SCRIPTS = join('src', 'shell', 'scripts');
const OLDEST_NODE = [20, 19];

/** Whoever starts without reading sees what goes on; stdout stays clean. */
export function say(text) {
  process.stderr.write(`tenacitty: ${text}\n`);
}

/** Ends the process with an explanation where terminals cannot be held. */
export function checkPlatform() {
  const { version, platform } = process;
  const problem = platformProblem({ version, platform, isMusl: platform === 'linux' && isMusl() });
  if (problem) stop(problem);
}

/** Why terminals cannot be held here, or undefined. Pure. */
export function platformProblem({ version, platform, isMusl }) {
  const [major, minor] = version.slice(1).split('.').map(Number);
  const isTooOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (isTooOld) return `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${version} (${process.execPath}).`;
  if (platform !== 'linux' && platform !== 'darwin') {
    return `Linux or macOS is needed, this is ${platform}. On Windows use WSL.`;
  }
  if (isMusl) return 'glibc is needed, this is musl (Alpine?). Use a Debian-based image, such as node:24-slim.';
  return undefined;
}

/** Asks the process report, which is slow, only where musl's loader is about. */
function isMusl() {
  const hasLoader = existsSync('/lib') && readdirSync('/lib').some((name) => name.startsWith('ld-musl-'));
  return hasLoader && !process.report.getReport().header.glibcVersionRuntime;
}

/** Installs exactly what the lock file says, unless that was done already. */
export function install() {
  const wanted = hash(readFileSync(LOCK));
  if (readStamp(INSTALL_STAMP) === wanted) return;
  if (!isInstalledByHand()) {
    // npm would empty the folder that a link leads to, and with it whoever else uses that.
    if (isLink(MODULES)) stop(`${MODULES} is a link; run npm ci where it leads to, or remove it.`);
    say('installing packages (npm ci; half a minute or so, once) …');
    // Even where NODE_ENV is production: the compiler is among the development packages.
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], 'The packages could not be installed.');
  }
  writeFileSync(INSTALL_STAMP, wanted);
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** npm keeps its own note of what it installed; a newer one than the lock file needs no second install. */
function isInstalledByHand() {
  const note = join(MODULES, '.package-lock.json');
  return existsSync(note) && existsSync(COMPILER) && statSync(note).mtimeMs >= statSync(LOCK).mtimeMs;
}

/** Compiles src/ to dist/, unless nothing changed since. A build that fails leaves the old one as it is. */
export function build() {
  const wanted = fingerprintOfSources();
  if (readStamp(BUILD_STAMP) === wanted) return;
  say('building (a few seconds, after each change) …');
  // Built aside and then exchanged, so that a server that runs meanwhile does not lose its files for long.
  const fresh = join(ROOT, `dist.new-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  const args = [COMPILER, '-p', 'tsconfig.build.json', '--outDir', fresh];
  const isBuilt = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] }).status === 0;
  if (isBuilt) {
    // What shells load is no code of ours to compile.
    cpSync(join(ROOT, SHELL_SCRIPTS), join(fresh, relative('src', SHELL_SCRIPTS)), { recursive: true });
    writeFileSync(join(fresh, '.built'), wanted);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(fresh, DIST);
  } else {
    rmSync(fresh, { recursive: true, force: true });
    stop('The build failed. See above.');
  }
}

/** Runs a command with its output on stderr; ends the process if it fails. */
export function run(command, args, failure, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['inherit', 2, 2], ...options });
  if (error) stop(`${failure} ${error.message}`);
  if (status !== 0) stop(`${failure} See above.`);
}

export function stop(reason) {
  say(reason);
  process.exit(1);
}

export function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Names, sizes and times tell of every change without reading the files. */
function fingerprintOfSources() {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  const watched = [...sources, 'tsconfig.json', 'tsconfig.build.json'].sort();
  const facts = watched.map((name) => {
    const { size, mtimeMs } = statSync(join(ROOT, name));
    return `${name} ${size} ${mtimeMs}`;
  });
  return hash(facts.join('\n'));
}

export function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkPlatform();
  install();
  if (process.argv[2] === 'build') build();
}
