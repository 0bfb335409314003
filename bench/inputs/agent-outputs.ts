/**
 * Outputs that agents commonly read, as programs write them to a terminal: recordings of real programs, and generated
 * ones where a recording would be too long to keep. Pure except for reading files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../contender.js';
import { createRandom } from './random.js';

const SEED = 7;
const BUILD_STEPS = 4000;
const TESTS = 600;
const FRAMES_PER_PACKAGE = 12;
const PACKAGES = 300;
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Returns the texts, including escape sequences, by name. */
export function agentOutputs(): Readonly<Record<string, string>> {
  return {
    'npm install, recorded': recording('npm-install'),
    'cargo build, recorded': recording('cargo-build'),
    'git clone, recorded': recording('git-clone'),
    'apt install, recorded': recording('apt-install'),
    'npm install with a spinner, made': npmInstall(),
    'a build log, made': buildLog(),
    'a failing test run, made': failingTests(),
  };
}

function recording(name: string): string {
  return readFileSync(join(ROOT, 'test', 'captures', `${name}.raw`), 'utf8');
}

/** A spinner redrawn repeatedly on one line, and a summary, as npm prints in a terminal. */
function npmInstall(): string {
  const frames = Array.from({ length: PACKAGES * FRAMES_PER_PACKAGE }, (_, i) => `\x1b[1G\x1b[0K${SPINNER[i % 10]}`);
  const end = [
    '',
    `added ${PACKAGES} packages, and audited ${PACKAGES + 1} packages in 14s`,
    '',
    '\x1b[32mfound \x1b[1m0\x1b[22m vulnerabilities\x1b[39m',
    '',
  ];
  return `${frames.join('')}\x1b[1G\x1b[0K${end.join('\r\n')}`;
}

/** Thousands of successful lines and, near the end, one failure. */
function buildLog(): string {
  const random = createRandom(SEED);
  const lines = Array.from({ length: BUILD_STEPS }, (_, i) => {
    const part = random.int(90);
    return `\x1b[2m[${i + 1}/${BUILD_STEPS}]\x1b[0m \x1b[32mCXX\x1b[0m build/obj/module-${part}/src/part-${i}.o`;
  });
  lines.splice(-20, 0, '\x1b[31merror:\x1b[0m src/part-3979.cpp:41:17: no matching function for call to `join`');
  return `${lines.join('\r\n')}\r\n`;
}

/** A test runner that shows each test, redraws its summary, and explains three failures at the end. */
function failingTests(): string {
  const lines = Array.from({ length: TESTS }, (_, i) => {
    const mark = i % 200 === 7 ? '\x1b[31m✕\x1b[39m' : '\x1b[32m✓\x1b[39m';
    return `\x1b[2K\r  ${mark} keeps the order of items, case ${i} \x1b[2m(${i % 9} ms)\x1b[22m\r\n\x1b[1mTests:\x1b[22m ${i + 1} of ${TESTS}`;
  });
  const failures = [7, 207, 407].map(
    (i) =>
      `\x1b[31m● keeps the order of items, case ${i}\x1b[39m\r\n    Expected: \x1b[32m${i}\x1b[39m\r\n    Received: \x1b[31m${i + 1}\x1b[39m\r\n      at test/order.test.ts:${i}:11\r\n`,
  );
  return `${lines.join('')}\r\n\r\n${failures.join('\r\n')}\r\nTests: 3 failed, ${TESTS - 3} passed\r\n`;
}
