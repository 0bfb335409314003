/**
 * Prepares a checkout: checks the platform, installs packages when the lock file has changed, and builds when the
 * sources have changed. Needs only Node. `node scripts/setup.mjs` only installs; `node scripts/setup.mjs build` also
 * builds.
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
const BUNDLER = join(MODULES, 'esbuild', 'package.json');
const COMPILE = join(ROOT, 'scripts', 'compile.mjs');
const START_BUNDLE = join(ROOT, 'scripts', 'start-bundle.ts');
const BUILD_PAGE = join(ROOT, 'scripts', 'page.mjs');
const INSTALL_STAMP = join(MODULES, '.tenacitty-installed');
const DIST = join(ROOT, 'dist');
const WEB = join(ROOT, 'web');
const PAGE = join(WEB, 'dist');
const PAGE_STAMP = join(PAGE, '.built');
const BUILD_STAMP = join(DIST, '.built');
const OLDEST_NODE = [20, 19];

/** Shows progress on stderr, so that stdout stays clean. */
export function say(text) {
  process.stderr.write(`tenacitty: ${text}\n`);
}

/** Exits with an explanation if the platform is not supported. */
export function checkPlatform() {
  const { version, platform } = process;
  const problem = platformProblem({ version, platform, isMusl: platform === 'linux' && isMusl() });
  if (problem) stop(problem);
}

/** Returns why the platform is not supported, or undefined. Pure. */
export function platformProblem({ version, platform, isMusl }) {
  const [major, minor] = version.slice(1).split('.').map(Number);
  const isTooOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (isTooOld) return `Node ${OLDEST_NODE.join('.')} or newer is required; this is ${version} (${process.execPath}).`;
  if (platform !== 'linux' && platform !== 'darwin') {
    return `Linux or macOS is required; this is ${platform}. On Windows use WSL.`;
  }
  if (isMusl) return 'glibc is required; this is musl (Alpine?). Use a Debian-based image, such as node:24-slim.';
  return undefined;
}

/** Reads the process report, which is slow, only if musl's loader is installed. */
function isMusl() {
  const hasLoader = existsSync('/lib') && readdirSync('/lib').some((name) => name.startsWith('ld-musl-'));
  return hasLoader && !process.report.getReport().header.glibcVersionRuntime;
}

/** Installs exactly what the lock file specifies, unless that is installed already. */
export function install() {
  const wanted = hash(readFileSync(LOCK));
  if (readStamp(INSTALL_STAMP) === wanted) return;
  if (!isInstalledByHand()) {
    // npm would empty the folder that the link points to, which other checkouts may use.
    if (isLink(MODULES)) stop(`${MODULES} is a symbolic link. Run npm ci in the directory it points to, or remove it.`);
    say('installing packages (npm ci; once, about half a minute) …');
    // Also if NODE_ENV is production, because the bundler is a development dependency.
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], 'Could not install the packages.');
  }
  writeFileSync(INSTALL_STAMP, wanted);
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** npm records what it installed; if that record is newer than the lock file, no second install is needed. */
function isInstalledByHand() {
  const note = join(MODULES, '.package-lock.json');
  return existsSync(note) && existsSync(BUNDLER) && statSync(note).mtimeMs >= statSync(LOCK).mtimeMs;
}

/** Builds the page for browsers to web/dist, unless nothing has changed. Returns what identifies the build. */
function buildPage() {
  const shared = ['src/client', 'src/contract'].flatMap((folder) => filesIn(folder));
  const own = filesIn('web').filter((name) => !/^web\/(dist|node_modules)\//.test(name));
  const wanted = fingerprint([...own, ...shared, relative(ROOT, BUILD_PAGE)]);
  if (readStamp(PAGE_STAMP) === wanted) return wanted;
  say('building the page (some seconds; only after changes) …');
  run(process.execPath, [BUILD_PAGE, PAGE], 'The page could not be built.');
  writeFileSync(PAGE_STAMP, wanted);
  return wanted;
}

/** Compiles src/ to dist/, unless nothing has changed. A failed build leaves the previous one unchanged. */
export function build() {
  const wanted = hash(fingerprintOfSources() + buildPage());
  if (readStamp(BUILD_STAMP) === wanted) return;
  say('building (a second; only after changes) …');
  // Builds to a new folder and then swaps it in, so that a running server is without its files only briefly.
  const fresh = join(ROOT, `dist.new-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  const isBuilt = spawnSync(process.execPath, [COMPILE, fresh], { cwd: ROOT, stdio: ['ignore', 2, 2] }).status === 0;
  if (isBuilt) {
    cpSync(PAGE, join(fresh, 'page'), { recursive: true, filter: (path) => path !== PAGE_STAMP });
    writeFileSync(join(fresh, '.built'), wanted);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(fresh, DIST);
  } else {
    rmSync(fresh, { recursive: true, force: true });
    stop('The build failed; see above.');
  }
}

/** Runs a command with its output on stderr; exits if it fails. */
export function run(command, args, failure, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['inherit', 2, 2], ...options });
  if (error) stop(`${failure} ${error.message}`);
  if (status !== 0) stop(`${failure} See the output above.`);
}

export function stop(reason) {
  say(reason);
  process.exit(1);
}

export function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function fingerprintOfSources() {
  const sources = filesIn('src').filter((name) => !name.endsWith('.test.ts'));
  return fingerprint([...sources, 'package-lock.json', ...[COMPILE, START_BUNDLE].map((path) => relative(ROOT, path))]);
}

/** Returns the files below a folder of the project, by their paths in it. */
function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

/** Names, sizes and times reveal every change without reading the files. */
function fingerprint(names) {
  const facts = names.sort().map((name) => {
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
