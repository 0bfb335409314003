/** What the page tells screen readers when a terminal changes. */
import type { OverviewTerminal } from '../../src/contract/overview.js';
import { announcementsOf } from '../../web/src/store/announcements.js';
import { fleetOf } from '../../web/src/store/fleet.js';

const AT = '2026-01-01T00:00:00.000Z';
const labels = { 'mcp.namespace': 'infra', 'mcp.number': '0' };
const quiet = {
  ...{ id: 'a', labels, name: null, shell: '/bin/bash', cwd: null, created: AT, status: 'active' },
  ...{ waiting: null, lastCommand: null, exitCode: null, signal: null, endedBy: null, foreground: null },
} as unknown as OverviewTerminal;
const question = { id: 'q1', kind: 'password', by: 'sudo', certain: true, since: AT, prompt: 'Password:' } as const;
const running = { commandId: 1, text: 'npm test', state: 'running', exitCode: null, started: AT, ended: null } as const;
const failed = { ...running, state: 'completed', exitCode: 1, ended: AT } as const;

const said = (before: Partial<OverviewTerminal>, after: Partial<OverviewTerminal>) =>
  announcementsOf(fleetOf([{ ...quiet, ...before }]), fleetOf([{ ...quiet, ...after }]));

test.each<[Partial<OverviewTerminal>, Partial<OverviewTerminal>, string[]]>([
  [{}, { waiting: question }, ['infra 0 is waiting for a password']],
  [{ waiting: question }, { waiting: question }, []],
  [{}, { waiting: { ...question, kind: 'program' } }, []],
  [{ lastCommand: running }, { lastCommand: failed }, ['npm test failed with exit code 1']],
  [{}, { lastCommand: { ...failed, text: 'a\n\u202eb' } }, ['a  b failed with exit code 1']],
  [{ lastCommand: failed }, { lastCommand: failed }, []],
  [{ lastCommand: running }, { lastCommand: { ...failed, exitCode: 0 } }, []],
  [{}, { status: 'exited', signal: 'SIGKILL' }, ['infra 0 ended by SIGKILL']],
])('%#', (before, after, words) => expect(said(before, after)).toEqual(words));

test('terminals that were not known are not announced', () => {
  expect(announcementsOf(new Map(), fleetOf([{ ...quiet, waiting: question }]))).toEqual([]);
});
