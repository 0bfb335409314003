/**
 * `npm run check`, `npm test` and `npm run test:deep`: sets up what is missing, then lint, format, types and build beside
 * the tests. With arguments (`npm test -- test/access`) just the tests, the arguments given to Jest.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkPlatform, install, say } from './setup.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { installTestPackages } from './test-packages.mjs';

const JEST_NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
const CACHE = join('node_modules', '.cache', 'tenacitty');

/** By command: how long it takes on two quiet cores, and which tests it runs (expressions for their paths; none: all). */
const LEVELS = {
  check: {
    takes: '90 seconds',
    tests: [
      '^src/',
      '^test/(history|screen|picture|store|conformance)/',
      '^test/(config|architecture|shell/bash)\\.test',
    ],
  },
  test: { takes: '10 minutes', tests: [] },
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
if (isWhole) say(`this takes about ${LEVELS[level].takes} on two quiet cores`);
const startedMs = performance.now();
const checks = isWhole ? checkSources() : Promise.resolve();
// Tests of one process need no build: what a check runs, starts no command and no host.
if (isCheck || (await build())) await test();
await checks;
if (isWhole) say(`took ${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** A deep test that is named is run as one. */
function readArguments(args) {
  const named = { '--check': 'check', '--deep': 'deep' }[args[0]];
  const isDeepRun = process.env.DEEP === '1' || args.some((path) => path.includes('.deep'));
  return { level: named ?? (isDeepRun ? 'deep' : 'test'), jestArguments: named ? args.slice(1) : args };
}

/** Lint, format and types, one after the other beside the tests. A check takes what did not change from a cache. */
async function checkSources() {
  const cached = (name) => ['--cache', '--cache-location', join(CACHE, name), '--cache-strategy', 'content'];
  const types = ['--noEmit', '--incremental', '--tsBuildInfoFile', join(CACHE, 'types.tsbuildinfo')];
  // Rules that know types look into other files than the one that changed: only a check may do without.
  await tool('lint', 'eslint', ['.', ...(isCheck ? cached('eslint') : [])]);
  await tool('format', 'prettier', ['--check', '--log-level', 'warn', '.', ...cached('prettier')]);
  await tool('types', 'tsc', types);
}

/** One tool over the whole project; counts as one. Its output comes in one piece. */
async function tool(name, command, args) {
  const child = spawn(join('node_modules', '.bin', command), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, trouble, status] = await Promise.all([text(child.stdout), text(child.stderr), exitCode(child)]);
  process.stderr.write(said + trouble);
  say(`${name}: ${status === 0 ? 'ok' : 'failed'}`);
  count(status === 0 ? { passed: 1 } : { failed: 1 });
}

/** Whether there is a build of the sources as they are, and of the package that is tested as it is built. */
async function build() {
  const commands = [
    ['scripts/setup.mjs', 'build'],
    [join('node_modules', 'typescript', 'bin', 'tsc'), '-b', 'packages/acp-check'],
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

/** All tests, with coverage of all processes; counts as one more. */
async function testWithCoverage() {
  // Only now: they may have been installed a moment ago.
  const { checkCoverage, prepareCoverage } = await import('./coverage.mjs');
  await runJest(['--coverage', '--coverageReporters=json'], { BUILD_UNDER_TEST: prepareCoverage() });
  const isEnough = await checkCoverage();
  count(isEnough ? { passed: 1 } : { failed: 1 });
  if (!isEnough) say('too few lines were run by the tests');
}

/** The tests, each counted; a run that fails without a failing test (a crash) counts as one. */
async function runJest(args, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tenacitty-test-'));
  const report = join(folder, 'report.json');
  const options = `${process.env.NODE_OPTIONS ?? ''} ${JEST_NODE_OPTIONS}`.trim();
  // Shells in tests read no start files but those that a test puts there: somebody's own may take any time, or wait.
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

/** Jest may have ended before it could report: its exit code tells of the failure. */
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
