/**
 * `npm test`: sets up what is missing, then lint, types, build and all tests with coverage. With
 * arguments (`npm test -- test/access`) just the tests, the arguments given to Jest.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, checkPlatform, install, say } from './setup.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { installTestPackages } from './test-packages.mjs';

const JEST_NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
const jestArguments = process.argv.slice(2);
const isWhole = jestArguments.length === 0;

checkPlatform();
install();
ensureSystemPackages();
installTestPackages();

const counts = { passed: 0, failed: 0 };
if (isWhole) {
  check('lint', ['eslint', '.']);
  check('format', ['prettier', '--check', '--log-level', 'warn', '.']);
  check('types', ['tsc', '--noEmit']);
}
build();
if (isWhole) await testAll();
else test(jestArguments);
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** One tool over the whole project; counts as one. */
function check(name, [tool, ...args]) {
  say(`${name} …`);
  const { status } = spawnSync(join('node_modules', '.bin', tool), args, { stdio: ['ignore', 2, 2] });
  count(status === 0 ? { passed: 1 } : { failed: 1 });
  if (status !== 0) say(`${name} failed`);
}

/** All tests, with coverage of all processes; counts as one more. */
async function testAll() {
  // Only now: they may have been installed a moment ago.
  const { checkCoverage, prepareCoverage } = await import('./coverage.mjs');
  test(['--coverage', '--coverageReporters=json'], { BUILD_UNDER_TEST: prepareCoverage() });
  const isEnough = await checkCoverage();
  count(isEnough ? { passed: 1 } : { failed: 1 });
  if (!isEnough) say('too few lines were run by the tests');
}

/** The tests, each counted; a run that fails without a failing test (a crash) counts as one. */
function test(args, variables = {}) {
  say('tests …');
  const folder = mkdtempSync(join(tmpdir(), 'tenacitty-test-'));
  const report = join(folder, 'report.json');
  const options = `${process.env.NODE_OPTIONS ?? ''} ${JEST_NODE_OPTIONS}`.trim();
  // Shells in tests read no start files but those that a test puts there: somebody's own may take any time, or wait.
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { ...process.env, ...variables, HOME: home, NODE_OPTIONS: options };
  const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), ...args, '--json', `--outputFile=${report}`];
  const { status } = spawnSync(process.execPath, jest, { env, stdio: ['inherit', 2, 2] });
  const { numPassedTests: passed, numFailedTests: failed } = readReport(report);
  count({ passed, failed: failed === 0 && status !== 0 ? 1 : failed });
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Jest ended before it could report: its exit code tells of the failure.
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}

function count({ passed = 0, failed = 0 }) {
  counts.passed += passed;
  counts.failed += failed;
}
