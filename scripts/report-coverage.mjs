/**
 * Loaded first by each process of the build that scripts/coverage.mjs prepares; writes the process's coverage of that
 * build when it exits. Needs no environment variable, because hosts and terminals only get those they need. A process
 * that is killed reports nothing.
 */
import { renameSync, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';

const BUILD = new URL('../coverage/build/', import.meta.url).href;
const REPORTS = new URL('../coverage/processes/', import.meta.url);

// Two collectors in one process would each get only a part; a test may collect coverage itself.
if (process.env.NODE_V8_COVERAGE === undefined) count();

function count() {
  const session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  process.on('exit', () => session.post('Profiler.takePreciseCoverage', (_, taken) => report(taken?.result ?? [])));
}

function report(scripts) {
  const result = scripts.filter(({ url }) => url.startsWith(BUILD));
  const path = fileURLToPath(new URL(`${process.pid}-${process.hrtime.bigint()}.json`, REPORTS));
  try {
    // Renamed when complete, so that a process that is killed or runs out of space leaves no partial report.
    writeFileSync(`${path}.part`, JSON.stringify({ result }));
    renameSync(`${path}.part`, path);
  } catch {
    // Another user's process may not write here, and some tests fill the disk.
  }
}
