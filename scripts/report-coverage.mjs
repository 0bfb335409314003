/**
 * Loaded first by each process of the build that scripts/coverage.mjs prepares: says at the end of the process what was
 * run of that build. It needs no variable, since hosts and terminals get none but what they need. Of a process that is
 * killed nothing is told.
 */
import { renameSync, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const BUILD = new URL('../coverage/build/', import.meta.url).href;
const REPORTS = new URL('../coverage/processes/', import.meta.url);

// Who is asked twice tells each but a part: a test may want to know itself.
if (process.env.NODE_V8_COVERAGE === undefined) count();

function count() {
  // Of what comes compiled from a cache the blocks are not counted.
  module.enableCompileCache = undefined;
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
    // Who is killed meanwhile, or has no room, leaves no half of a report.
    writeFileSync(`${path}.part`, JSON.stringify({ result }));
    renameSync(`${path}.part`, path);
  } catch {
    // Another user's process may not write here, and a full disk is what some tests are about.
  }
}
