/** Tests that acpx, a client from npm, behaves as the README documents. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACPX, nodeOf } from '../../../test/agents/real-agent.js';
import { where } from '../../../test/where.js';
import type { CheckResult } from '../src/check.js';
import { ACP_CHECK } from './command.js';
import { acpxVerdicts } from './page.js';
import { Running } from './running.js';

const node = nodeOf(ACPX);
const { it: whereNewNode } = where(node !== undefined, 'Node 22.19, for acpx');

let session: string;
beforeEach(() => (session = mkdtempSync(join(tmpdir(), 'acp-check-acpx-'))));
afterEach(() => rmSync(session, { recursive: true, force: true }));

whereNewNode('a client from npm behaves as documented', async () => {
  const client = [node!, ...ACPX.program, '--approve-all', '--cwd', session, '--agent', '{agent}', 'exec', 'go'];
  const { stdout, stderr } = await new Running([...ACP_CHECK, '--json', '--', ...client], tmpdir(), { HOME: session })
    .ended;
  if (stdout === '') throw new Error(stderr);
  const { verdicts } = JSON.parse(stdout) as CheckResult;
  expect(Object.fromEntries(verdicts.map(({ name, outcome }) => [name, outcome]))).toEqual(
    Object.fromEntries(acpxVerdicts().map(({ name, outcome }) => [name, outcome])),
  );
});
