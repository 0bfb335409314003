/**
 * Compiles the library examples of docs/acp.md as a user of the library would, with the configuration that `tsc --init`
 * writes.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES } from './library-examples.js';

const ROOT = join(import.meta.dirname, '..', '..');
/** Takes some ten seconds of one core. */
const TYPES_TIMEOUT_MS = 60_000;
const TSC = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');

/** The package as published, with its types. */
let published: string;
beforeAll(async () => {
  published = mkdtempSync(join(tmpdir(), 'tenacitty-published-'));
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(published, name));
  expect(await tsc(ROOT, '-p', 'tsconfig.build.json', '--outDir', join(published, 'dist'))).toBe('');
}, TYPES_TIMEOUT_MS);
afterAll(() => rmSync(published, { recursive: true }));

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenacitty-types-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const scope of ['@types', '@agentclientprotocol']) {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', scope), join(folder, 'node_modules', scope));
  }
  symlinkSync(published, join(folder, 'node_modules', 'tenacitty'));
  await tsc(folder, '--init');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the compiler's output; empty on success. */
function tsc(cwd: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TSC, ...args], { cwd }, (_error, stdout) => resolve(stdout));
  });
}

/** Compiles programs with Node's types, as the file that `tsc --init` writes recommends for Node. */
function compile(programs: readonly string[]): Promise<string> {
  programs.forEach((code, number) => writeFileSync(join(folder, `program-${number}.ts`), code));
  return tsc(folder, '--noEmit', '--pretty', 'false', '--types', 'node');
}

describe('the example programs in docs/acp.md', () => {
  it('compile with the defaults of TypeScript, with browser types', async () => {
    expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).not.toMatch(/^\s*"lib"/m);
    expect(await compile(EXAMPLES)).toBe('');
  });

  it('do not compile with a child process instead of a stream', async () => {
    const wrong = EXAMPLES[0]!.replace('streamOf(agent)', 'agent');
    expect(await compile([wrong])).toContain('is not assignable to parameter of type');
  });
});
