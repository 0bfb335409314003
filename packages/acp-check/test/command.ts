/** The built command, and the client that it checks in the tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

export const ACP_CHECK = [process.execPath, join(import.meta.dirname, '..', 'dist', 'main.js')] as const;
/** A client for one turn; its first argument is the case whose rule it breaks, or empty. Then follows its agent. */
export const BREAKABLE_CLIENT = [process.execPath, compiled('client.ts')] as const;

/** Compiles a fixture with all its modules, because Node starts it several times as fast as tsx does. */
function compiled(fixture: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'acp-check-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const entryPoints = [join(import.meta.dirname, 'fixtures', fixture)];
  const outfile = join(folder, 'fixture.mjs');
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  return outfile;
}
