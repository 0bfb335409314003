/**
 * Compiles src/ with esbuild, which checks no types: `bundle` joins modules and packages to few files, because most of
 * the start of a process is loading them; `transpile` keeps one file for each module, for the coverage.
 */
import { buildSync } from 'esbuild';
import { cpSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');
const SHELL_SCRIPTS = join('shell', 'scripts');
/** What is started or imported from outside; tests and benchmarks import the last four. */
const ENTRIES = ['cli/main', 'host/main', 'index', 'acp', 'engine', 'host/lock', 'host/ownership', 'pty/pty'];
const OPTIONS = {
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  outbase: SRC,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};

/** Packages with native code must stay packages. */
const EXTERNAL = ['@lydell/node-pty'];
/** CommonJS packages load Node's modules with it. */
const REQUIRE = `import { createRequire as nodeRequire } from 'node:module';
const require = nodeRequire(import.meta.url);`;

export function bundle(outdir) {
  const entryPoints = ENTRIES.map((entry) => join(SRC, `${entry}.ts`));
  const joining = { bundle: true, splitting: true, external: EXTERNAL, mainFields: ['module', 'main'] };
  buildSync({ ...OPTIONS, ...joining, entryPoints, outdir, chunkNames: 'chunks/[hash]', banner: { js: REQUIRE } });
  // Runs in browsers too.
  buildSync({ ...OPTIONS, bundle: true, platform: 'neutral', entryPoints: [join(SRC, 'client/index.ts')], outdir });
  copyShellScripts(outdir);
}

export function transpile(outdir) {
  const entryPoints = readdirSync(SRC, { recursive: true })
    .filter((name) => /(?<!\.(?:test|d))\.ts$/.test(name))
    .map((name) => join(SRC, name));
  buildSync({ ...OPTIONS, entryPoints, outdir });
  copyShellScripts(outdir);
}

function copyShellScripts(outdir) {
  cpSync(join(SRC, SHELL_SCRIPTS), join(outdir, SHELL_SCRIPTS), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bundle(process.argv[2]);
