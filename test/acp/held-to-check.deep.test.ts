/** Tests that tenacitty's own clients, as installed, pass all cases of acp-check. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CASES } from '../../packages/acp-check/src/cases.js';
import type { CheckResult } from '../../packages/acp-check/src/check.js';
import { ACP_CHECK, BREAKABLE_CLIENT } from '../../packages/acp-check/test/command.js';
import { Running } from '../../packages/acp-check/test/running.js';
import { MAIN, Place } from '../cli/place.js';

const TENACITTY = [process.execPath, MAIN, 'acp'];

let place: Place;
beforeEach(() => (place = new Place()));
afterEach(() => place.close());

/** Started in a directory other than the session's. */
const CLIENTS: readonly ['run' | 'proxy', (session: string) => string[]][] = [
  ['run', (session) => [...TENACITTY, 'run', '--cwd', session, '--prompt', 'go', '--yes', '--', '{agent}']],
  // Behind an editor without terminals.
  ['proxy', () => [...BREAKABLE_CLIENT, 'no-terminals', ...TENACITTY, 'proxy', '--', '{agent}']],
];

it.each(CLIENTS)('acp %s passes the check', async (_name, client) => {
  const session = join(place.directory, 'session');
  mkdirSync(session);
  const { code, stdout, stderr } = await new Running(
    [...ACP_CHECK, '--json', '--', ...client(session)],
    place.directory,
    place.env,
  ).ended;
  if (stdout === '') throw new Error(stderr);
  const result = JSON.parse(stdout) as CheckResult;
  expect(result.verdicts.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  expect(result.verdicts.map((verdict) => verdict.name)).toEqual(CASES.map((one) => one.name));
  expect({ came: result.came, isComplete: result.isComplete, code }).toEqual({
    came: 'checked',
    isComplete: true,
    code: 0,
  });
});
