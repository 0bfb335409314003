/**
 * Starts the bundle beside this file, `main.cjs`, with the code that earlier starts have compiled, because compiling
 * takes longest. V8 cannot use code that another version or other flags have compiled; it is then replaced. The code is
 * kept in the package, where only its owner writes, rather than in a directory in which other users could plant code.
 * The build makes `cli/main.js` and `host/main.js` from this file.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Identifies the contents of the bundle, set by the build: V8 compares only their length. */
declare const BUNDLE_HASH: string;

const FOLDER = import.meta.dirname;
const BUNDLE = join(FOLDER, 'main.cjs');
const CACHE = join(dirname(FOLDER), '.cache');
const { mtimeMs } = statSync(BUNDLE);
const KEPT = join(CACHE, `${basename(FOLDER)}-${BUNDLE_HASH}-${mtimeMs}-${process.version}-${process.arch}`);

function start(): void {
  const kept = keptCode();
  const script = new Script(Module.wrap(readFileSync(BUNDLE, 'latin1')), {
    filename: BUNDLE,
    ...(kept && { cachedData: kept }),
  });
  // `--version` compiles too little.
  const isWorthKeeping = /^(?!-)/.test(process.argv[2] ?? '') || basename(FOLDER) === 'host';
  if (isWorthKeeping && script.cachedDataRejected !== false) process.on('exit', () => keep(script));
  const module = { exports: {} };
  const run = script.runInThisContext() as (...variables: readonly unknown[]) => void;
  run(module.exports, Module.createRequire(BUNDLE), module, BUNDLE, FOLDER);
}

/** Returns nothing for a coverage report, which would not count kept code. */
function keptCode(): Buffer | undefined {
  if (process.env['NODE_V8_COVERAGE'] !== undefined) return undefined;
  try {
    return readFileSync(KEPT);
  } catch {
    return undefined;
  }
}

/** Writes the code compiled so far. Does nothing as another user than the owner of the package, or if the disk is full. */
function keep(script: Script): void {
  const part = `${KEPT}.${process.pid}.${process.hrtime.bigint()}`;
  try {
    if (statSync(FOLDER).uid !== process.getuid?.()) return;
    mkdirSync(CACHE, { recursive: true, mode: 0o755 });
    writeFileSync(part, script.createCachedData(), { mode: 0o644, flush: true });
    renameSync(part, KEPT);
  } catch {
    rmSync(part, { force: true });
  }
}

start();
