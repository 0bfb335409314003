/**
 * Compiles src/ with esbuild, which checks no types: `bundle` joins modules and packages to few files, because most of
 * the start of a process is loading them; `transpile` keeps one file for each module, for the coverage.
 */
import { buildSync } from 'esbuild';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');
const START_BUNDLE = join(dirname(SRC), 'scripts', 'start-bundle.ts');
const SHELL_SCRIPTS = join('shell', 'scripts');
/** What is started; each becomes one file, whose compiled code `start-bundle.ts` keeps. */
const PROGRAMS = ['cli', 'host'];
/** What is imported from outside; tests and benchmarks import the last four. */
const ENTRIES = ['index', 'acp', 'engine', 'host/lock', 'host/ownership', 'pty/pty'];
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

/** Names of CommonJS for what only ECMAScript modules have. */
const META = {
  'import.meta.dirname': '__dirname',
  'import.meta.filename': '__filename',
  'import.meta.url': '__filename',
};
const JOINED = { ...OPTIONS, bundle: true, external: EXTERNAL, mainFields: ['module', 'main'] };

export function bundle(outdir) {
  const entryPoints = ENTRIES.map((entry) => join(SRC, `${entry}.ts`));
  const banner = { js: REQUIRE };
  buildSync({ ...JOINED, entryPoints, outdir, splitting: true, chunkNames: 'chunks/[hash]', banner });
  for (const name of PROGRAMS) bundleProgram(name, join(outdir, name));
  // Runs in browsers too.
  buildSync({ ...OPTIONS, bundle: true, platform: 'neutral', entryPoints: [join(SRC, 'client/index.ts')], outdir });
  copyShellScripts(outdir);
}

function bundleProgram(name, folder) {
  const main = join(folder, 'main.cjs');
  const form = { format: 'cjs', define: META, supported: { 'dynamic-import': false } };
  // Without comments it is ASCII, which Node reads fastest.
  const ascii = { legalComments: 'none', minifyWhitespace: true, lineLimit: 120 };
  buildSync({ ...JOINED, ...form, ...ascii, entryPoints: [join(SRC, name, 'main.ts')], outfile: main });
  const hash = createHash('sha256').update(readFileSync(main)).digest('hex').slice(0, 16);
  const starter = {
    define: { BUNDLE_HASH: JSON.stringify(hash) },
    banner: { js: '#!/usr/bin/env node' },
    sourcemap: false,
  };
  const outfile = join(folder, 'main.js');
  buildSync({ ...OPTIONS, ...starter, entryPoints: [START_BUNDLE], outfile });
  chmodSync(outfile, 0o755);
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
