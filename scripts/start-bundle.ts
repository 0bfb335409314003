/**
 * Starts the bundle next to this file, `main.cjs`, with the code that earlier starts have compiled, because compiling
 * is the slowest part of a start. V8 rejects code that was compiled by another version or with other flags; it is then
 * replaced. The code is kept in the package, which only its owner can write to, and not in a directory where other
 * users could plant code. The build creates `cli/main.js` and `host/main.js` from this file.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Identifies the contents of the bundle, because V8 compares only their length. Set by the build. */
declare const BUNDLE_HASH: string;

const FOLDER = import.meta.dirname;
const BUNDLE = join(FOLDER, 'main.cjs');
const CACHE = join(dirname(FOLDER), '.cache');
/** Copies of a file may have its time to the millisecond only. */
const CHANGED_MS = Math.trunc(statSync(BUNDLE).mtimeMs);
const KEPT = join(CACHE, `${basename(FOLDER)}-${BUNDLE_HASH}-${CHANGED_MS}-${process.version}-${process.arch}`);

/** Kept code would not be counted, and what is compiled while it is counted is not kept. */
const IS_COUNTED = process.env['NODE_V8_COVERAGE'] !== undefined;

function start(): void {
  const kept = IS_COUNTED ? undefined : keptCode();
  const script = new Script(Module.wrap(readFileSync(BUNDLE, 'latin1')), {
    filename: BUNDLE,
    ...(kept && { cachedData: kept }),
  });
  // The code that only `--version` and the like compile is too little to keep.
  const isWorthKeeping = /^(?!-)/.test(process.argv[2] ?? '') || basename(FOLDER) === 'host';
  if (isWorthKeeping && !IS_COUNTED && script.cachedDataRejected !== false) process.on('exit', () => keep(script));
  const module = { exports: {} };
  const run = script.runInThisContext() as (...variables: readonly unknown[]) => void;
  run(module.exports, Module.createRequire(BUNDLE), module, BUNDLE, FOLDER);
}

/** Returns the code that earlier starts have kept, if any. */
function keptCode(): Buffer | undefined {
  try {
    return readFileSync(KEPT);
  } catch {
    return undefined;
  }
}

/** Keeps the code compiled so far. Keeps nothing if this user does not own the package, or if the disk is full. */
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
