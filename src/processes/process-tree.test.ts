import { indexProcesses, type MarkedProcess } from './process-table.js';
import { membersOf, type KnownProcesses } from './process-tree.js';

const TARGET = { pid: 100, terminalId: 'ours', startTime: 5000 };

/** Returns a process that is unrelated by default: a child of init, in a session of its own. */
function processOf(fields: Partial<MarkedProcess> & { pid: number }): MarkedProcess {
  const { pid } = fields;
  return {
    parent: 1,
    group: pid,
    session: pid,
    foregroundGroup: -1,
    terminalDevice: 0,
    cpuTicks: 0,
    threads: 1,
    startTime: 5000,
    environmentAddress: 0,
    isGone: false,
    terminalId: null,
    ...fields,
  };
}

const ROOT = processOf({ pid: 100, parent: process.pid, terminalId: 'ours' });

function pids(processes: MarkedProcess[], known?: KnownProcesses, target = TARGET): number[] {
  const members = membersOf(indexProcesses(processes), target, known);
  return members.map(({ pid }) => pid).sort((a, b) => a - b);
}

describe('a terminal includes', () => {
  it('its program, identified by pid and start time, and its descendants', () => {
    const child = processOf({ pid: 101, parent: 100, session: 100 });
    const grandchild = processOf({ pid: 102, parent: 101 });
    expect(pids([ROOT, child, grandchild])).toEqual([100, 101, 102]);
  });

  it('its program without a mark, for example one that has overwritten its environment', () => {
    expect(pids([{ ...ROOT, terminalId: null }])).toEqual([100]);
  });

  it('every process with its mark, wherever it is', () => {
    expect(pids([processOf({ pid: 300, terminalId: 'ours' })])).toEqual([300]);
  });

  it('every process in the session of its program', () => {
    expect(pids([ROOT, processOf({ pid: 103, session: 100 })])).toEqual([100, 103]);
  });

  it('every process in that session after the program has ended, if one of them has the mark', () => {
    const marked = processOf({ pid: 103, session: 100, terminalId: 'ours' });
    expect(pids([marked, processOf({ pid: 104, session: 100 })])).toEqual([103, 104]);
  });

  it('every process in a session led by one of its processes', () => {
    const leader = processOf({ pid: 200, parent: 100, session: 200 });
    expect(pids([ROOT, leader, processOf({ pid: 201, session: 200 })])).toEqual([100, 200, 201]);
  });

  it('processes known from earlier snapshots, and their descendants', () => {
    const known = new Map([[400, { startTime: 7000 }]]);
    const before = processOf({ pid: 400, startTime: 7000 });
    expect(pids([before, processOf({ pid: 401, parent: 400, startTime: 7001 })], known)).toEqual([400, 401]);
  });

  it('a process that was started in a new session between two snapshots, even if the session’s leader has ended', () => {
    const known = new Map([[400, { startTime: 7000 }]]);
    const orphan = processOf({ pid: 401, session: 400, group: 400, startTime: 7001 });
    expect(pids([orphan], known)).toEqual([401]);
    expect(pids([orphan])).toEqual([]);
    const stranger = processOf({ pid: 400, startTime: 9000 });
    expect(pids([stranger, orphan], known)).toEqual([]);
    expect(pids([{ ...orphan, startTime: 6999 }], known)).toEqual([]);
    expect(pids([{ ...orphan, terminalId: 'other' }], known)).toEqual([]);
  });

  it('the terminals of a server that runs in it', () => {
    const server = processOf({ pid: 110, parent: 100, session: 100, terminalId: 'ours' });
    const nested = processOf({ pid: 111, parent: 110, session: 111, terminalId: 'nested' });
    expect(pids([ROOT, server, nested])).toEqual([100, 110, 111]);
  });
});

describe('a terminal does not include', () => {
  it('a process that got the pid of its program later', () => {
    expect(pids([processOf({ pid: 100, startTime: 9000 })])).toEqual([]);
  });

  it('another terminal’s program that got the pid, and its session', () => {
    const other = processOf({ pid: 100, parent: process.pid, startTime: 9000, terminalId: 'other' });
    const mate = processOf({ pid: 105, session: 100, parent: 100, startTime: 9001, terminalId: 'other' });
    expect(pids([other, mate])).toEqual([]);
    expect(pids([other, mate], undefined, { pid: 100, terminalId: 'ours' } as typeof TARGET)).toEqual([]);
  });

  it('unmarked processes of a session whose number may have been reused', () => {
    expect(pids([processOf({ pid: 106, session: 100 })])).toEqual([]);
  });

  it('a process known from earlier whose pid was reused', () => {
    expect(pids([processOf({ pid: 400, startTime: 8000 })], new Map([[400, { startTime: 7000 }]]))).toEqual([]);
  });

  it('a child that is older than its parent, because the parent’s pid was reused', () => {
    expect(pids([ROOT, processOf({ pid: 107, parent: 100, startTime: 4000 })])).toEqual([100]);
  });

  it('a process that has ended, but does include the processes that it left behind', () => {
    const zombie = processOf({ pid: 108, parent: 100, session: 100, isGone: true });
    expect(pids([{ ...ROOT, isGone: true }, zombie, processOf({ pid: 109, session: 100 })])).toEqual([109]);
  });

  it('this process, its other children, and init, whatever marks they have', () => {
    const self = processOf({ pid: process.pid, parent: 100, terminalId: 'ours' });
    const sibling = processOf({ pid: 500, parent: process.pid });
    expect(pids([ROOT, self, sibling, processOf({ pid: 1, parent: 0, terminalId: 'ours' })])).toEqual([100]);
  });
});
