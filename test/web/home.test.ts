/** What the home page groups, marks as unseen, and draws in small. */
import type { OverviewTerminal } from '../../src/contract/overview.js';
import { chunksOf } from '../../web/src/home/chunks.js';
import { groupsOf } from '../../web/src/home/groups.js';
import { miniSizeFor } from '../../web/src/home/mini-size.js';
import { fleetOf, withDetails } from '../../web/src/store/fleet.js';
import { afterLooking, isUnseen, seenOf } from '../../web/src/store/unseen.js';

const rest = { name: null, shell: '/bin/sh', cwd: '/', created: '', status: 'active', lastCommand: null };
const terminal = (id: string, change: object = {}) => ({ id, labels: {}, ...rest, ...change }) as OverviewTerminal;
const command = (commandId: number, exitCode: number | null) => ({
  commandId,
  exitCode,
  ended: exitCode === null ? null : 'x',
});

describe('rows', () => {
  const within = (namespace: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      terminal(`${namespace}${index}`, { labels: { 'mcp.namespace': namespace, 'mcp.number': String(index) } }),
    );

  test('are grouped by namespace if they are many', () => {
    const all = [...within('api', 20), ...within('web', 10), terminal('z')];
    expect(groupsOf(all).map(({ namespace, terminals }) => [namespace, terminals.length])).toEqual([
      ...[
        ['api', 20],
        ['web', 10],
        ['', 1],
      ],
    ]);
    expect(groupsOf(all.slice(10)).map(({ namespace }) => namespace)).toEqual([null]);
    expect(groupsOf(within('api', 40)).map(({ namespace }) => namespace)).toEqual([null]);
  });

  test('are divided into chunks', () => {
    expect(chunksOf(Array.from({ length: 45 }, (_, index) => index)).map(({ length }) => length)).toEqual([20, 20, 5]);
  });
});

describe('a terminal is unseen', () => {
  const [failed, running, good] = [command(2, 1), command(2, null), command(2, 0)];

  test('if it failed since, even if its command was running then', () => {
    expect(isUnseen(terminal('a', { lastCommand: failed }), seenOf(terminal('a', { lastCommand: running })))).toBe(
      true,
    );
    expect(isUnseen(terminal('a', { lastCommand: failed }), seenOf(terminal('a', { lastCommand: failed })))).toBe(
      false,
    );
    expect(isUnseen(terminal('a', { lastCommand: good }), undefined)).toBe(false);
  });

  test('if it has ended since', () => {
    const over = terminal('a', { status: 'lost' });
    expect([isUnseen(over, undefined), isUnseen(over, seenOf(over))]).toEqual([true, false]);
  });

  test('not in a browser that looks for the first time', () => {
    const fleet = fleetOf([terminal('a', { lastCommand: failed }), terminal('b')]);
    const first = afterLooking(null, fleet, '');
    expect(isUnseen(terminal('a', { lastCommand: failed }), first['a'])).toBe(false);
    expect(afterLooking({ c: { commandId: 1, isOver: false } }, fleet, 'b')).toEqual({
      b: { commandId: 0, isOver: false },
    });
  });
});

test('a whole screen fits a tile', () => {
  const [small, wide, tall] = [miniSizeFor(24, 80), miniSizeFor(24, 200), miniSizeFor(50, 80)];
  expect(small).toBeGreaterThan(5);
  expect(wide * 200 * 0.602).toBeLessThanOrEqual(298);
  expect(tall * 50 * 1.08).toBeLessThanOrEqual(143);
});

test('details are taken over, and nothing that an event reports', () => {
  const known = terminal('a', { lastCommand: command(3, 0), ports: [] });
  const read = terminal('a', { lastCommand: command(2, 0), ports: [5173] });
  const after = withDetails(fleetOf([known]), read).get('a')!;
  expect([after.lastCommand!.commandId, after.ports]).toEqual([3, [5173]]);
  expect(withDetails(fleetOf([known]), terminal('b')).has('b')).toBe(false);
});
