/**
 * Collects the coverage of all sources in all processes of a test run: Jest's own report, and those of the commands and
 * host processes that tests start. Those run from a build of their own, with one file for each module.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mergeProcessCovs } from '@bcoe/v8-coverage';
import coverage from 'istanbul-lib-coverage';
import { createContext } from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import v8ToIstanbul from 'v8-to-istanbul';
import { transpile } from './compile.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDER = join(ROOT, 'coverage');
const COPY = join(FOLDER, 'build');
const PROCESSES = join(FOLDER, 'processes');
const ENTRIES = ['cli', 'host'];
/** The number of reports held in memory at a time; there are thousands. */
const BATCH = 100;
const MIN_LINES_PERCENT = 90;

/**
 * Creates the build whose processes report coverage. Returns its folder, for the variable BUILD_UNDER_TEST.
 */
export function prepareCoverage() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(PROCESSES, { recursive: true });
  const dist = join(COPY, 'dist');
  transpile(dist);
  cpSync(join(ROOT, 'package.json'), join(COPY, 'package.json'));
  cpSync(join(ROOT, 'fonts'), join(COPY, 'fonts'), { recursive: true });
  for (const entry of ENTRIES) reportFirst(join(dist, entry));
  return dist;
}

/** Makes the reporter load first, because only modules loaded after it are counted. */
function reportFirst(folder) {
  renameSync(join(folder, 'main.js'), join(folder, 'entry.js'));
  // An absolute URL, because a test may copy the build elsewhere.
  const first = [pathToFileURL(join(ROOT, 'scripts', 'report-coverage.mjs')).href, './entry.js'];
  writeFileSync(join(folder, 'main.js'), first.map((module) => `await import('${module}');\n`).join(''));
}

/** Writes the reports to coverage/ and stderr. Returns whether coverage is sufficient. */
export async function checkCoverage() {
  const own = join(FOLDER, 'coverage-final.json');
  // Jest ended before it could report.
  if (!existsSync(own)) return false;
  const map = coverage.createCoverageMap(JSON.parse(readFileSync(own, 'utf8')));
  for (const script of scriptsOfProcesses()) map.merge(await ofSource(script));
  const context = createContext({ dir: FOLDER, coverageMap: map });
  for (const kind of ['lcovonly', 'json-summary']) reports.create(kind).execute(context);
  const { lines } = map.getCoverageSummary();
  process.stderr.write(`Lines: ${lines.pct}% (${lines.covered} of ${lines.total}), at least ${MIN_LINES_PERCENT}%\n`);
  return lines.pct >= MIN_LINES_PERCENT;
}

/** Returns each script of the build once, with the merged coverage of all processes. */
function scriptsOfProcesses() {
  const names = readdirSync(PROCESSES).filter((name) => name.endsWith('.json'));
  const files = names.map((name) => join(PROCESSES, name));
  let all = { result: [] };
  for (let from = 0; from < files.length; from += BATCH) {
    const batch = files.slice(from, from + BATCH).map((file) => JSON.parse(readFileSync(file, 'utf8')));
    all = mergeProcessCovs([all, ...batch]);
  }
  return all.result.filter(({ url }) => !ENTRIES.some((entry) => url.endsWith(`/dist/${entry}/main.js`)));
}

/** Converts a compiled script's coverage to that of its source file. */
async function ofSource({ url, functions }) {
  const path = fileURLToPath(url);
  const source = readFileSync(path, 'utf8');
  const [, mapName] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(source);
  const sourcemap = JSON.parse(readFileSync(join(dirname(path), mapName), 'utf8'));
  const original = resolve(dirname(path), sourcemap.sources[0]);
  sourcemap.sources = [original];
  const originalSource = readFileSync(original, 'utf8');
  const converter = v8ToIstanbul(path, 0, { source, originalSource, sourceMap: { sourcemap } });
  await converter.load();
  converter.applyCoverage(functions);
  return converter.toIstanbul();
}
