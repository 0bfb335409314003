/** Tests that a bundled program keeps its compiled code, and that code which cannot be used harms nothing. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const NOBODY = 65_534;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-start-'));
  cpSync(join(ROOT, 'dist', 'cli'), join(directory, 'dist', 'cli'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(directory, 'package.json'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function tenacitty(...words: readonly string[]): string {
  const env = { PATH: process.env['PATH'], TENACITTY_DATA_DIR: join(directory, 'data') };
  const main = join(directory, 'dist', 'cli', 'main.js');
  const shell = ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, main, ...words];
  return execFileSync('sh', shell, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const cache = () => join(directory, 'dist', '.cache');
function keptFile(): string {
  const names = readdirSync(cache());
  expect(names).toHaveLength(1);
  return join(cache(), names[0]!);
}

it('keeps the compiled code of the first command, writable only by its owner, and uses it', () => {
  const bundle = readFileSync(join(directory, 'dist', 'cli', 'main.cjs'));
  expect(tenacitty('ls', '--json')).toBe('[]\n');
  const kept = keptFile();
  expect(kept).toContain(createHash('sha256').update(bundle).digest('hex').slice(0, 16));
  expect([cache(), kept].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o644]);
  const { ino } = statSync(kept);
  expect(tenacitty('ls', '--json')).toBe('[]\n');
  expect(statSync(keptFile()).ino).toBe(ino);
});

it('keeps nothing of --version, which compiles little', () => {
  expect(tenacitty('--version')).toMatch(/^\d/);
  expect(existsSync(cache())).toBe(false);
});

it.each([
  ['empty', () => Buffer.alloc(0)],
  ['random', () => Buffer.alloc(100_000, 7)],
  ['cut', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['of another version', (code: Buffer) => Buffer.concat([code.subarray(0, 4), Buffer.alloc(4), code.subarray(8)])],
])('replaces code that is %s', (_name, damaged) => {
  tenacitty('ls');
  const code = readFileSync(keptFile());
  writeFileSync(keptFile(), damaged(code));
  expect(tenacitty('ls', '--json')).toBe('[]\n');
  expect(statSync(keptFile()).size).toBeGreaterThan(code.length / 2);
});

it('never runs what was compiled from another bundle, even if its length is the same', () => {
  tenacitty('ls', '--json');
  const main = join(directory, 'dist', 'cli', 'main.cjs');
  const bundle = readFileSync(main, 'latin1');
  expect(bundle).toContain('Open a terminal with');
  writeFileSync(main, bundle.replaceAll('Open a terminal with', 'Shut a terminal with'), 'latin1');
  expect(tenacitty('help')).toContain('Shut a terminal with');
});

it('writes nothing into a package of another user', () => {
  if (process.getuid!() === 0) chownSync(join(directory, 'dist', 'cli'), NOBODY, NOBODY);
  else chmodSync(join(directory, 'dist'), 0o555);
  expect(tenacitty('ls', '--json')).toBe('[]\n');
  expect(existsSync(cache())).toBe(false);
});
