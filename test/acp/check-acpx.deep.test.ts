/** acpx, a client from npm, does what docs/acp.md says of it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from '../../src/acp/check/check.js';
import { ACPX, nodeOf } from '../agents/real-agent.js';
import { Place } from '../cli/place.js';
import { where } from '../where.js';
import { acpxVerdicts } from './check-page.js';

const node = nodeOf(ACPX);
const { it: whereNewNode } = where(node !== undefined, 'Node 22.19, for acpx');

let place: Place;
beforeEach(() => (place = new Place()));
afterEach(() => place.close());

whereNewNode('a client from npm does as it is written down', async () => {
  const session = join(place.directory, 'session');
  mkdirSync(session);
  const client = [node!, ...ACPX.program, '--approve-all', '--cwd', session, '--agent', '{agent}', 'exec', 'go'];
  const { stdout, stderr } = await place.run('acp', 'check', '--json', '--', ...client);
  if (stdout === '') throw new Error(stderr);
  const { verdicts } = JSON.parse(stdout) as CheckResult;
  expect(Object.fromEntries(verdicts.map(({ name, outcome }) => [name, outcome]))).toEqual(
    Object.fromEntries(acpxVerdicts().map(({ name, outcome }) => [name, outcome])),
  );
});
