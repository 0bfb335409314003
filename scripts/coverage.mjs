/**
 * Coverage of all the sources by all the processes of a test run: what Jest tells of its own, and what the commands and
 * hosts tell that the tests start. Those are of a copy of the build, so that `dist` stays as it is.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mergeProcessCovs } from '@bcoe/v8-coverage';
import coverage from 'istanbul-lib-coverage';
import { createContext } from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import v8ToIstanbul from 'v8-to-istanbul';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDER = join(ROOT, 'coverage');
const COPY = join(FOLDER, 'build');
const PROCESSES = join(FOLDER, 'processes');
const ENTRIES = ['cli', 'host'];
/** Reports held in memory at once; there are thousands. */
const BATCH = 100;
const MIN_LINES_PERCENT = 90;

/** Makes the copy of the build whose processes report. Gives its folder, for the variable BUILD_UNDER_TEST. */
export function prepareCoverage() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(PROCESSES, { recursive: true });
  const dist = join(COPY, 'dist');
  cpSync(join(ROOT, 'dist'), dist, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(COPY, 'package.json'));
  cpSync(join(ROOT, 'fonts'), join(COPY, 'fonts'), { recursive: true });
  for (const entry of ENTRIES) reportFirst(join(dist, entry));
  return dist;
}

/** What is counted has to be loaded after the counting has begun. */
function reportFirst(folder) {
  renameSync(join(folder, 'main.js'), join(folder, 'entry.js'));
  // In full: a test may copy the build to another place.
  const first = [pathToFileURL(join(ROOT, 'scripts', 'report-coverage.mjs')).href, './entry.js'];
  writeFileSync(join(folder, 'main.js'), first.map((module) => `await import('${module}');\n`).join(''));
}

/** Writes the reports in coverage/ and on stderr. Tells whether enough was run. */
export async function checkCoverage() {
  const own = join(FOLDER, 'coverage-final.json');
  // Jest ended before it could tell.
  if (!existsSync(own)) return false;
  const map = coverage.createCoverageMap(JSON.parse(readFileSync(own, 'utf8')));
  for (const script of scriptsOfProcesses()) map.merge(await ofSource(script));
  const context = createContext({ dir: FOLDER, coverageMap: map });
  for (const kind of ['lcovonly', 'json-summary']) reports.create(kind).execute(context);
  const { lines } = map.getCoverageSummary();
  process.stderr.write(`Lines: ${lines.pct}% (${lines.covered} of ${lines.total}), at least ${MIN_LINES_PERCENT}%\n`);
  return lines.pct >= MIN_LINES_PERCENT;
}

/** Each script of the copy once, with what was run of it by any process. */
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

/** Of a compiled script, as coverage of the file it was compiled from. */
async function ofSource({ url, functions }) {
  const path = fileURLToPath(url);
  const source = readFileSync(path, 'utf8');
  const [, mapName] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(source);
  const sourcemap = JSON.parse(readFileSync(join(dirname(path), mapName), 'utf8'));
  // As they lie beside `dist`, not beside its copy.
  const original = resolve(ROOT, join('dist', dirname(path.slice(join(COPY, 'dist').length))), sourcemap.sources[0]);
  sourcemap.sources = [original];
  const originalSource = readFileSync(original, 'utf8');
  const converter = v8ToIstanbul(path, 0, { source, originalSource, sourceMap: { sourcemap } });
  await converter.load();
  converter.applyCoverage(functions);
  return converter.toIstanbul();
}
