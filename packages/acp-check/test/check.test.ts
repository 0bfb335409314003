/** Tests `acp-check` with clients as programs: its output, its exit code, and that it leaves no process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/eventually.js';
import { processesWith } from '../../../test/pty/remains.js';
import { CASES, chosenCases } from '../src/cases.js';
import { checkClient } from '../src/check.js';
import type { CheckResult } from '../src/check.js';
import { ACP_CHECK, BREAKABLE_CLIENT as CLIENT } from './command.js';
import { Running } from './running.js';
import type { EndedProcess } from './running.js';

let place: string;
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'acp-check-test-'))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

function start(...args: string[]): Running {
  return new Running([...ACP_CHECK, ...args], place, { CHECK_PLACE: place, TMPDIR: place });
}

/** A client that breaks the rule of a case, or no rule. */
function check(breaks: string, ...flags: string[]): Promise<EndedProcess> {
  return start(...flags, '--', ...CLIENT, breaks, '{agent}').ended;
}

/** Running processes of clients that this test started, and of their commands. */
function running(): string[] {
  return processesWith(`CHECK_PLACE=${place}`);
}

/** They are killed before the command ends; the kernel may need a moment for the last one. */
async function expectNoneLeft(): Promise<void> {
  await eventually(() => running().length === 0, { missing: () => `the end of ${running().join(', ')}` });
}

it('reports no failure for a correct client', async () => {
  const { code, stdout, stderr } = await check('', '--only', 'create,cwd,lost,wire');
  expect(stdout).not.toMatch(/FAIL|skipped/);
  expect(stdout).toMatch(/^ok +create-at-once +MUST +terminal\/create returns at once/m);
  expect(stdout).toMatch(/^ok +lost-agent +advice/m);
  expect(stderr).toMatch(/client: breakable 1\n.*\d+ cases: \d+ passed, 0 failed, 0 skipped/);
  expect(code).toBe(0);
});

describe('processes left when the connection ends', () => {
  function checkLeft(breaks: string, ...names: string[]): Promise<CheckResult> {
    const agent = [...ACP_CHECK, '--agent', '--only', names.join(',')];
    const client = ['env', `CHECK_PLACE=${place}`, ...CLIENT, breaks, '{agent}'];
    const { signal } = new AbortController();
    return checkClient({ client, agent, cases: chosenCases(names), timeoutMs: 100_000, graceMs: 1500, signal });
  }

  it.each(['lost-unreleased', 'lost-deaf', 'lost-agent'])('are reported by %s, and ended', async (name) => {
    const { verdicts, isComplete } = await checkLeft(name, name);
    expect(verdicts).toEqual([
      expect.objectContaining({ name, outcome: 'fail', seen: expect.stringMatching(/still/) }),
    ]);
    expect(isComplete).toBe(true);
    // A process that ignores signals sleeps a second at a time, and its `sleep` outlives it.
    await eventually(() => running().length === 0);
  });

  it('are also checked for a client that keeps running, which is then ended', async () => {
    const { verdicts } = await checkLeft('stays', 'lost-unreleased', 'lost-agent');
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['pass', 'pass']);
    await expectNoneLeft();
  });
});

it('fails if a MUST rule is violated, and only then', async () => {
  expect((await check('exit-code', '--only', 'exit-code')).code).toBe(1);
  const { code, stdout, stderr } = await check('exit-told-to-all', '--only', 'exit-told-to-all');
  expect(stdout).toMatch(/^FAIL +exit-told-to-all +SHOULD .*: exit 5 was reported as/);
  expect(stderr).toContain('1 cases: 0 passed, 1 failed (1 SHOULD), 0 skipped');
  expect(code).toBe(0);
});

it('shows the request and the response of a violated rule, and the result of the MUST rules at the end', async () => {
  const { stdout, stderr } = await check('exit-code', '--only', 'exit-code,kill-twice');
  expect(stdout).toMatch(
    /\nexit-code\n {2}sent {6}\{"method":"terminal\/\w+","params":\{"sessionId".*\n {2}received {2}\{.*"result":\{/,
  );
  expect(stdout).not.toContain('\nkill-twice\n');
  expect(stderr).toMatch(/cases: .*\n.*MUST: exit-code: .*\n$/);
  const { verdicts } = JSON.parse(
    (await check('exit-code', '--json', '--only', 'exit-code,kill-twice')).stdout,
  ) as CheckResult;
  expect(verdicts).toEqual([
    expect.objectContaining({ outcome: 'fail', exchange: { request: expect.any(String), answer: expect.any(String) } }),
    expect.objectContaining({ outcome: 'pass', exchange: null }),
  ]);
});

it('reports at once that a client does not start its agent', async () => {
  const line = start('--', 'sh', '-c', 'sleep 100; : {agent}');
  await line.says(/has not started its agent yet/);
  line.child.kill('SIGINT');
  await line.ended;
  await expectNoneLeft();
});

it('passes the agent to a client as a command line or as words', async () => {
  const [script, asWords] = ['exec "$@" "" $AGENT', [...CLIENT, '', '{agent-words}']];
  const asLine = ['sh', '-c', `AGENT="{agent-line}"; ${script}`, 'sh', ...CLIENT];
  for (const client of [asLine, asWords]) {
    const { code, stdout } = await start('--only', 'exit-code', '--', ...client).ended;
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok/) });
  }
});

it('reports that a client never connected, with its last output', async () => {
  const { code, stderr } = await start('--', 'sh', '-c', 'echo I want no {agent} >&2').ended;
  expect(stderr).toMatch(/never connected.*\n.*its output:\n.*I want no/);
  expect(code).toBe(2);
});

it('reports that a client has no terminals', async () => {
  const { code, stderr } = await check('no-terminals');
  expect(stderr).toContain('does not announce terminal support');
  expect(code).toBe(2);
});

it.each([
  ['no placeholder for the agent', ['--', 'true'], 'Put {agent} where the client'],
  ['no client', [], 'CLIENT is missing: acp-check -- CLIENT'],
  ['a client that is not after --', ['true', '{agent}'], 'Give the client after --'],
  ['an unknown flag', ['--onyl', 'x'], "Unknown option '--onyl'"],
  ['an invalid time limit', ['--timeout', '1s', '--', 'true', '{agent}'], 'expected a number of seconds'],
  ['a client that does not exist', ['--', '/no/such/client', '{agent}'], 'cannot be started'],
  ['an unknown case', ['--only', 'exit-cod', '--', 'true', '{agent}'], 'Unknown case exit-cod'],
])('reports %s', async (_what, args, words) => {
  const { code, stderr } = await start(...args).ended;
  expect(stderr).toContain(words);
  expect(code).toBe(2);
});

it('has a time limit, and leaves no client running', async () => {
  const { code } = await start('--timeout', '1', '--', 'sh', '-c', 'sleep 100; : {agent}').ended;
  expect(code).toBe(2);
  await expectNoneLeft();
});

it('ends its client when it is interrupted', async () => {
  const line = start('--verbose', '--', ...CLIENT, 'stays', '{agent}', '--only', 'exit-code');
  await line.says(/a client is here/);
  line.child.kill('SIGINT');
  await line.ended;
  await expectNoneLeft();
});

it('lists the cases', async () => {
  const { stdout } = await start('--list').ended;
  expect(stdout.trim().split('\n')).toHaveLength(CASES.length);
  const listed = JSON.parse((await start('--list', '--json', '--only', 'kill').ended).stdout) as { name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(CASES.map(({ name }) => name).filter((name) => /^kill-/.test(name)));
});
