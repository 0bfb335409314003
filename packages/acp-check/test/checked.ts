/** Runs the check in one process with a client: the agent at one end of two pipes, the client at the other. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { serveCheck } from '../src/agent.js';
import type { Case } from '../src/case.js';
import type { Report } from '../src/report.js';

/** Serves one turn at its end of the pipes, in the directory of the session. */
export type ClientUnderTest = (input: Readable, output: Writable, cwd: string) => Promise<void>;

/** Runs cases against a client; returns the report. */
export async function checked(client: ClientUnderTest, cases: readonly Case[], timeoutMs: number): Promise<Report> {
  const place = mkdtempSync(join(tmpdir(), 'acp-checked-'));
  try {
    const [toAgent, toClient, report] = [new PassThrough(), new PassThrough(), join(place, 'report.json')];
    const served = serveCheck({ input: toAgent, output: toClient, report, cases, dies: false, timeoutMs });
    await client(toClient, toAgent, place);
    toAgent.end();
    await served;
    return JSON.parse(readFileSync(report, 'utf8')) as Report;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
