/**
 * `npm run check`, `npm test` and `npm run test:deep`: set up what is missing, then run lint, format, type check and
 * build concurrently with the tests. With arguments (`npm test -- test/access`), only the tests run, and Jest gets the
 * arguments.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkPlatform, install, say } from './setup.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { installTestPackages } from './test-packages.mjs';

/** What Jest's own runtime needs, which only the deep run uses (jest.config.mjs). */
const OWN_RUNTIME_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
const CACHE = join('node_modules', '.cache', 'tenacitty');

/**
 * For each command: its duration on two idle cores, and the tests it runs (regular expressions for paths; none: all).
 */
const LEVELS = {
  check: {
    takes: '90 seconds',
    tests: [
      '^src/',
      '^test/(history|screen|picture|store|conformance)/',
      '^test/(config|architecture|shell/bash)\\.test',
    ],
  },
  test: { takes: '10 to 16 minutes', tests: [] },
  deep: { takes: '45 minutes', tests: [] },
};

const { level, jestArguments } = readArguments(process.argv.slice(2));
const isWhole = jestArguments.length === 0;
const isCheck = level === 'check';
const isDeep = level === 'deep';
const counts = { passed: 0, failed: 0 };

checkPlatform();
install();
if (!isCheck) {
  ensureSystemPackages();
  installTestPackages({ isDeep });
}
if (isWhole) say(`this takes about ${LEVELS[level].takes} on two idle cores`);
const startedMs = performance.now();
const checks = isWhole ? checkSources() : Promise.resolve();
// Tests within one process need no build: those of `check` start no command and no host.
if (isCheck || (await build())) await test();
await checks;
if (isWhole) say(`took ${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** A deep test given by name runs as a deep test. */
function readArguments(args) {
  const named = { '--check': 'check', '--deep': 'deep' }[args[0]];
  const isDeepRun = process.env.DEEP === '1' || args.some((path) => path.includes('.deep'));
  return { level: named ?? (isDeepRun ? 'deep' : 'test'), jestArguments: named ? args.slice(1) : args };
}

/**
 * Runs lint, format and type check one after the other, concurrently with the tests. `check` uses caches for unchanged
 * files.
 */
async function checkSources() {
  const cached = (name) => ['--cache', '--cache-location', join(CACHE, name), '--cache-strategy', 'content'];
  await tool('types', 'oxlint', ['--quiet']);
  await tool('lint', 'eslint', ['.', ...cached('eslint')]);
  await tool('format', 'prettier', ['--check', '--log-level', 'warn', '.', ...cached('prettier')]);
}

/** Runs one tool over the whole project; counts as one test. Its output is printed as a whole. */
async function tool(name, command, args) {
  const child = spawn(join('node_modules', '.bin', command), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, trouble, status] = await Promise.all([text(child.stdout), text(child.stderr), exitCode(child)]);
  process.stderr.write(said + trouble);
  say(`${name}: ${status === 0 ? 'ok' : 'failed'}`);
  count(status === 0 ? { passed: 1 } : { failed: 1 });
}

/** Builds the sources and the package that is tested in built form. Returns whether both succeeded. */
async function build() {
  const commands = [
    ['scripts/setup.mjs', 'build'],
    [join('node_modules', 'typescript-7', 'bin', 'tsc'), '-b', 'packages/acp-check'],
  ];
  let isBuilt = true;
  for (const args of commands) {
    isBuilt &&= (await exitCode(spawn(process.execPath, args, { stdio: ['ignore', 2, 2] }))) === 0;
  }
  if (!isBuilt) count({ failed: 1 });
  return isBuilt;
}

async function test() {
  if (isWhole && isDeep) await testWithCoverage();
  else await runJest(isWhole ? LEVELS[level].tests : jestArguments);
}

/** Runs all tests with coverage of all processes; coverage counts as one more test. */
async function testWithCoverage() {
  // Imported here, because its packages may just have been installed.
  const { checkCoverage, prepareCoverage } = await import('./coverage.mjs');
  await runJest(['--coverage', '--coverageReporters=json'], { BUILD_UNDER_TEST: prepareCoverage() });
  const isEnough = await checkCoverage();
  count(isEnough ? { passed: 1 } : { failed: 1 });
  if (!isEnough) say('the line coverage of the tests is too low');
}

/** Runs the tests and counts each; a run that fails without a failing test (a crash) counts as one failure. */
async function runJest(args, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tenacitty-test-'));
  const report = join(folder, 'report.json');
  const options = `${process.env.NODE_OPTIONS ?? ''} ${isDeep ? OWN_RUNTIME_OPTIONS : ''}`.trim();
  // Shells in tests read only the start files that a test provides: a developer's own may take any time, or wait for
  // input.
  const home = join(folder, 'home');
  mkdirSync(home);
  const levels = { ...(isDeep ? { DEEP: '1' } : {}), ...(isCheck ? { CHECK: '1' } : {}) };
  const env = { ...process.env, ...levels, ...variables, HOME: home, NODE_OPTIONS: options };
  const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), ...args, '--json', `--outputFile=${report}`];
  const status = await exitCode(spawn(process.execPath, jest, { env, stdio: ['inherit', 2, 2] }));
  const { numPassedTests: passed, numFailedTests: failed } = readReport(report);
  count({ passed, failed: failed === 0 && status !== 0 ? 1 : failed });
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Jest may have ended before it could write its report; its exit code shows the failure. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}

function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

function count({ passed = 0, failed = 0 }) {
  counts.passed += passed;
  counts.failed += failed;
}
