/** Compiles TypeScript programs that the tests start: Node starts them several times as fast as tsx does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync, transformSync } from 'esbuild';

/** Returns a temporary file with the program and all its modules. */
export function compiled(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenacitty-program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'program.mjs');
  buildSync({ entryPoints: [program], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  return outfile;
}

/** Returns a module as JavaScript. */
export function withoutTypes(code: string): string {
  return transformSync(code, { loader: 'ts', format: 'esm' }).code;
}
