/** Tests that the process table is correct for real processes, and that concurrent callers share one read. */
import { eventually } from '../eventually.js';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foregroundOf } from '../../src/processes/foreground.js';
import { killTree } from '../../src/processes/kill.js';
import { ignoresSignal, readProcess, startTimeOf, takeSnapshot } from '../../src/processes/process-table.js';
import { Program, shell } from './program.js';

const KILL_NOW = { signal: 'SIGKILL', graceMs: 0 } as const;

async function end(program: Program): Promise<void> {
  await killTree(program.target, KILL_NOW);
  await program.closed;
}

describe('a process', () => {
  it('is read correctly whatever its name is', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'names-'));
    const file = join(directory, 'a) Z (b 1 2');
    copyFileSync('/bin/cat', file);
    const program = new Program([file]);
    program.type('echoed\r');
    await program.until(/echoed\r\n.*echoed\r\n/s);
    expect(readProcess(program.pty.pid)).toEqual({
      pid: program.pty.pid,
      parent: process.pid,
      group: program.pty.pid,
      session: program.pty.pid,
      foregroundGroup: program.pty.pid,
      terminalDevice: expect.any(Number),
      cpuTicks: expect.any(Number),
      threads: 1,
      startTime: program.pty.startTime,
      environmentAddress: expect.any(Number),
      isGone: false,
    });
    await end(program);
    rmSync(directory, { recursive: true });
  });

  it('that does not exist is null', () => {
    const NO_PID = 2 ** 22 + 1;
    expect(readProcess(NO_PID)).toBeNull();
    expect(startTimeOf(NO_PID)).toBeNull();
    expect(foregroundOf(NO_PID)).toBeNull();
    expect(ignoresSignal(NO_PID, 'SIGTERM')).toBe(false);
  });

  it('is reported to ignore the signals that it ignores', async () => {
    const program = shell("trap '' TERM; trap : INT; echo ready; read x");
    await program.until(/ready/);
    expect(ignoresSignal(program.pty.pid, 'SIGTERM')).toBe(true);
    expect(ignoresSignal(program.pty.pid, 'SIGINT')).toBe(false);
    expect(ignoresSignal(program.pty.pid, 'SIGHUP')).toBe(false);
    await end(program);
  });

  it('in the foreground is a child of the shell if the first of its group has ended', async () => {
    const program = new Program(['/bin/bash', '--norc', '--noprofile', '-i']);
    await program.until(/prompt\$ /);
    program.type('true | { echo in$((1)); exec cat </dev/tty; }\r');
    await program.until(/in1/);
    // Nothing reports the end of the first; each line to cat is an occasion to check.
    do {
      program.type('x\r');
      await program.nextOutput();
    } while (program.pty.foreground()?.name !== 'cat');
    expect(program.pty.foreground()?.pid).not.toBe(readProcess(program.pty.pid)?.foregroundGroup);
    await end(program);
  });

  it('is named by its kernel name if its own arguments are not a name', async () => {
    const program = new Program(['/bin/bash', '-c', "exec -a 'worker: idle' cat"]);
    program.type('echoed\r');
    await program.until(/echoed\r\n.*echoed\r\n/s);
    expect(program.pty.foreground()).toEqual({ pid: program.pty.pid, name: 'cat' });
    await end(program);
  });
});

describe('a snapshot', () => {
  it('contains the processes of a terminal, also by their mark', async () => {
    const program = shell('sleep 1000 & echo child=$!; wait');
    const child = Number((await program.until(/child=(\d+)/))[1]);
    // While a process executes another program, its environment cannot be read.
    await eventually(() => readFileSync(`/proc/${child}/comm`, 'utf8') === 'sleep\n');
    const snapshot = await takeSnapshot();
    const marked = snapshot.byTerminalId.get(program.terminalId)?.map(({ pid }) => pid);
    expect(marked?.sort()).toEqual([program.pty.pid, child].sort());
    expect(snapshot.byPid.get(child)).toMatchObject({ parent: program.pty.pid, session: program.pty.pid });
    await end(program);
  });

  it('contains the mark of the program that a process executes now, even if it was read before', async () => {
    const program = shell('echo first; read x; exec env TENACITTY_TERMINAL_ID=another cat');
    await program.until(/first/);
    expect((await takeSnapshot()).byPid.get(program.pty.pid)?.terminalId).toBe(program.terminalId);
    program.type('\r');
    program.type('echoed\r');
    await program.until(/echoed\r\n.*echoed\r\n/s);
    expect((await takeSnapshot()).byPid.get(program.pty.pid)?.terminalId).toBe('another');
    await end(program);
  });

  it('is shared by all requests before it begins, and by none after that', async () => {
    const first = takeSnapshot();
    expect(takeSnapshot()).toBe(first);
    await Promise.resolve();
    const program = shell('sleep 1000');
    const second = takeSnapshot();
    expect(second).not.toBe(first);
    expect((await first).byPid.has(process.pid)).toBe(true);
    expect((await second).byPid.has(program.pty.pid)).toBe(true);
    await end(program);
  });
});
