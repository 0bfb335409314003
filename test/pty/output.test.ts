/**
 * Tests that no byte of output is lost: at exit, while paused, with many terminals at once, and from processes left
 * behind.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killTree } from '../../src/processes/kill.js';
import { Program, shell } from './program.js';
import { runs } from '../deep.js';

const KILL_NOW = { signal: 'SIGKILL', graceMs: 0 } as const;

/** Returns what `seq 1 count` writes to a terminal, which turns each LF into CR LF. */
function sequence(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\r\n`).join('');
}

/**
 * Runs a command the given number of times, with the given concurrency; returns how many outputs differed from the
 * expected one.
 */
async function countIncomplete(
  runs: number,
  atOnce: number,
  argv: readonly [string, ...string[]],
  expected: string,
  isPaused = false,
): Promise<number> {
  let left = runs;
  let incomplete = 0;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const program = new Program(argv, { isPaused });
      await program.exited;
      if (program.output !== expected) incomplete++;
      await program.closed;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return incomplete;
}

describe('all output precedes the exit', () => {
  const SEQ = '/usr/bin/seq';
  const SHORT_RUNS = runs({ normal: 150, deep: 500 });
  const PAUSED_RUNS = runs({ normal: 100, deep: 300 });

  it.each([1, 50])(`of ${SHORT_RUNS} short commands of 40 KB, %i at once`, async (atOnce) => {
    expect(await countIncomplete(SHORT_RUNS, atOnce, [SEQ, '1', '7000'], sequence(7000))).toBe(0);
  });

  it.each([1, 50])(
    `of ${PAUSED_RUNS} commands that end while paused before anything was read, %i at once`,
    async (atOnce) => {
      expect(await countIncomplete(PAUSED_RUNS, atOnce, [SEQ, '1', '2000'], sequence(2000), true)).toBe(0);
    },
  );

  it('of commands that write more than the kernel buffers', async () => {
    expect(await countIncomplete(50, 4, [SEQ, '1', '20000'], sequence(20000))).toBe(0);
  });

  it('of a command that writes one byte or none', async () => {
    expect(await countIncomplete(100, 10, ['/bin/sh', '-c', 'printf x'], 'x')).toBe(0);
    expect(await countIncomplete(100, 10, ['/bin/true'], '')).toBe(0);
  });
});

describe('a paused terminal', () => {
  it('is not read, blocks its program, and loses nothing', async () => {
    const program = new Program(['/usr/bin/seq', '1', '100000']);
    await program.until(/100\r\n/);
    program.pty.pause();
    const before = program.byteCount;
    await new Program(['/usr/bin/seq', '1', '20000']).closed;
    expect(program.byteCount).toBe(before);
    program.pty.resume();
    await program.exited;
    expect(program.output).toBe(sequence(100000));
  });

  it('is not read until each reason for the pause is over', async () => {
    const program = new Program(['/usr/bin/seq', '1', '100000']);
    await program.until(/100\r\n/);
    for (const reason of ['disk', 'holder', 'disk']) program.pty.pause(reason);
    program.pty.resume('disk');
    program.pty.resume('disk');
    const before = program.byteCount;
    await new Program(['/usr/bin/seq', '1', '20000']).closed;
    expect([program.byteCount, program.pty.isPaused]).toEqual([before, true]);
    program.pty.resume('holder');
    await program.exited;
    expect(program.output).toBe(sequence(100000));
  });

  it('loses nothing if it is paused and resumed at every turn', async () => {
    const program = new Program(['/usr/bin/seq', '1', '20000']);
    let isOver = false;
    void program.closed.then(() => (isOver = true));
    while (!isOver) {
      program.pty.pause();
      program.pty.pause();
      await new Promise((resolve) => setImmediate(resolve));
      program.pty.resume();
      program.pty.resume();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(program.output).toBe(sequence(20000));
  });

  it('reads nothing if it is paused, resumed and paused in one turn', async () => {
    const program = new Program(['/usr/bin/seq', '1', '100000'], { isPaused: true });
    program.pty.resume();
    program.pty.pause();
    await new Program(['/usr/bin/seq', '1', '20000']).closed;
    expect(program.byteCount).toBe(0);
    program.pty.resume();
    await program.closed;
    expect(program.output).toBe(sequence(100000));
  });

  it('reports the exit of its program even if a process left behind floods it', async () => {
    const program = shell("trap '' HUP; yes & echo over; exit 7", { isPaused: true });
    expect(await program.exited).toEqual({ exitCode: 7, signal: null });
    expect(program.output).toContain('over\r\n');
    expect(await killTree(program.target, KILL_NOW)).toEqual([]);
    program.pty.resume();
    await program.closed;
  });
});

describe('a process left behind', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gate-'));
    execFileSync('mkfifo', [join(directory, 'gate')]);
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  /** Releases the processes that wait at the gate. */
  function openGate(): void {
    const fd = openSync(join(directory, 'gate'), 'w');
    writeSync(fd, 'go\n');
    closeSync(fd);
  }

  it.each([false, true])('neither delays the exit nor loses its later output (paused: %s)', async (isPaused) => {
    const script = `trap '' HUP; (read x <${directory}/gate; seq 1 7000) & echo first; exit 3`;
    const program = shell(script, { isPaused });
    expect(await program.exited).toEqual({ exitCode: 3, signal: null });
    expect(program.output).toBe('first\r\n');
    openGate();
    program.pty.resume();
    await program.closed;
    expect(program.output).toBe(`first\r\n${sequence(7000)}`);
    expect(program.events).toEqual(['data', 'exit', 'data', 'close']);
  });

  it('does not delay the exit by flooding', async () => {
    const program = shell(`trap '' HUP; yes & read x <${directory}/gate; exit 4`);
    await program.until(/y/);
    openGate();
    expect(await program.exited).toEqual({ exitCode: 4, signal: null });
    await program.nextOutput();
    expect(await killTree(program.target, KILL_NOW)).toEqual([]);
    await program.closed;
    expect(program.events).toEqual(['data', 'exit', 'data', 'close']);
  });

  it('may be the program itself, which leaves the terminal and opens it again', async () => {
    const script = `t=$(tty); echo first; exec </dev/null >/dev/null 2>&1; read x <${directory}/gate; exec >$t; seq 1 7000`;
    const program = shell(script);
    await program.until(/first/);
    await shell('seq 1 20000').closed;
    openGate();
    await program.exited;
    expect(program.output).toBe(`first\r\n${sequence(7000)}`);
    await program.closed;
  });

  it('may be the program itself while paused', async () => {
    const script = `t=$(tty); exec </dev/null >/dev/null 2>&1; read x <${directory}/gate; exec >$t; seq 1 7000`;
    const program = shell(script);
    await shell('seq 1 20000').closed;
    program.pty.pause();
    openGate();
    await shell('seq 1 20000').closed;
    expect(program.byteCount).toBe(0);
    program.pty.resume();
    await program.closed;
    expect(program.output).toBe(sequence(7000));
  });
});
