/** The reducer of the page's store, names, states, filters, colours and the answers that a prompt offers. */
import type { OverviewTerminal } from '../../src/contract/overview.js';
import type { ManagerEvent } from '../../src/contract/watch.js';
import { choicesIn } from '../../web/src/dock/choices.js';
import { countsOf, filtered } from '../../web/src/home/filters.js';
import { changed, fleetOf } from '../../web/src/store/fleet.js';
import { inPlace, nameOf, plain } from '../../web/src/store/naming.js';
import { stateOf } from '../../web/src/store/state-of.js';
import { runsOf, textOf } from '../../web/src/ui/colours.js';

const AT = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T00:00:12.400Z';
const question = { id: 'q1', kind: 'line' as const, by: 'node', certain: true, since: AT, prompt: 'Go on? (y/N)' };
const began = { commandId: 1, text: 'ls', state: 'running' as const, exitCode: null, started: AT, ended: null };
const ended = { ...began, state: 'completed' as const, exitCode: 1, ended: LATER };

function terminal(change: Partial<OverviewTerminal> = {}): OverviewTerminal {
  const times = { created: AT, lastActivity: AT };
  const rest = { exitCode: null, signal: null, endedBy: null, name: null, labels: {}, lastCommand: null };
  const seen = { title: '', viewers: 0, totalLines: 0, foreground: null, holder: null, waiting: null };
  return {
    ...{ id: 'a', pid: 1, shell: '/bin/bash', cwd: '/src/shop', startCwd: '/', status: 'active', createdBy: null },
    ...{ ...times, ...rest, ...seen, cols: 80, rows: 24, ports: [], lines: [], ...change },
  };
}

const event = (type: string, rest: object) => ({ type, id: 'e', at: LATER, terminalId: 'a', ...rest }) as ManagerEvent;
const after = (known: OverviewTerminal, ...events: ManagerEvent[]) => events.reduce(changed, fleetOf([known])).get('a');

describe('events', () => {
  test('change what they are about', () => {
    expect(after(terminal(), event('waiting', { waiting: question }))?.waiting).toEqual(question);
    expect(after(terminal({ waiting: question }), event('answered', { waiting: 'q1' }))?.waiting).toBeNull();
    expect(after(terminal({ waiting: question }), event('answered', { waiting: 'q0' }))?.waiting).toEqual(question);
    expect(after(terminal(), event('removed', {}))).toBeUndefined();
  });

  test('that are old change no command', () => {
    const known = terminal({ lastCommand: ended });
    expect(after(known, event('command', { phase: 'began', command: began }))?.lastCommand).toEqual(ended);
    const next = { ...began, commandId: 2 };
    expect(after(known, event('command', { phase: 'began', command: next }))?.lastCommand).toEqual(next);
  });

  test('of the end tell lost from ended', () => {
    const end = (reason: string) => event('ended', { endedBy: { reason, at: AT }, exitCode: null, signal: null });
    expect([end('unknown'), end('exit')].map((each) => after(terminal(), each)?.status)).toEqual(['lost', 'exited']);
  });
});

describe('states', () => {
  test.each([
    [terminal({ waiting: { ...question, kind: 'password' } }), 'lock', 'waiting for a password'],
    [terminal({ waiting: { ...question, certain: false }, lastCommand: began }), 'run', 'running 0:12'],
    [terminal({ lastCommand: ended }), 'bad', 'exit 1 · 12.4 s'],
    [terminal({ lastCommand: { ...ended, exitCode: null } }), 'idle', 'ended, exit code unknown'],
    [terminal({ status: 'lost' }), 'lost', 'lost: exit status unknown'],
    [terminal({ status: 'exited', signal: 'SIGKILL' }), 'end', 'ended by SIGKILL'],
  ])('%#', (each, glyph, words) => expect(stateOf(each, Date.parse(LATER))).toMatchObject({ glyph, words }));
});

test('terminals keep their place by namespace and number', () => {
  const named = (id: string, namespace: string, number: string) =>
    terminal({ id, labels: { 'mcp.namespace': namespace, 'mcp.number': number } });
  const all = [terminal({ id: 'z' }), named('c', 'b', '1'), named('b', 'a', '10'), named('a', 'a', '2')];
  expect(inPlace(all).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'z']);
  expect(nameOf(terminal())).toEqual({ namespace: '', own: 'bash in shop' });
  expect(plain('a\u202eb\nc')).toBe('a b c');
});

test('filters count what fits the rest', () => {
  const all = [terminal({ labels: { project: 'shop' }, lastCommand: ended }), terminal({ id: 'b', status: 'lost' })];
  expect(filtered(all, { state: 'failed' }).map(({ id }) => id)).toEqual(['a']);
  expect(filtered(all, { label: 'project=shop', state: 'lost' })).toEqual([]);
  expect(Object.fromEntries(countsOf(all, {}))).toMatchObject({ all: 2, lost: 1, failed: 1, prompt: 1 });
});

test('lines have classes for colours, and no other codes', () => {
  expect(runsOf('a\x1b[1;31mb\x1b[0mc')).toEqual([
    { text: 'a', classes: '', colour: '' },
    { text: 'b', classes: 'r B', colour: '' },
    { text: 'c', classes: '', colour: '' },
  ]);
  expect(runsOf('\x1b[38;5;196mx')[0]?.colour).toBe('rgb(255 0 0)');
  expect(textOf('\x1b]0;title\x07a\x1b[2Kb\u202ec<b>')).toBe('abc<b>');
});

test('prompts offer answers', () => {
  expect(['Go on? (y/N)', 'Which [yes/no/all]?', 'Name: (a) b', '› (y/N) [1/2]'].map(choicesIn)).toEqual([
    ...[['y', 'N'], ['yes', 'no', 'all'], [], ['1', '2']],
  ]);
});
