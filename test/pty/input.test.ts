/**
 * Tests that input arrives completely and in order, costs nothing while it is not read, and that resizes are reported.
 */
import { createHash, randomBytes } from 'node:crypto';
import { fixture, Program, shell } from './program.js';

const PASTE_BYTES = 1 << 20;

/** Returns the share of a core that this process uses meanwhile. */
async function coreShareOf(something: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await something();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ((performance.now() - startedAt) * 1000);
}

describe('input', () => {
  it('of 1 MB arrives completely, over many turns of the loop', async () => {
    const paste = randomBytes(PASTE_BYTES);
    const program = new Program([fixture('raw-sha256'), String(PASTE_BYTES)]);
    await program.until(/ready/);
    program.pty.write(paste);
    let turns = 0;
    while (program.pty.pendingInputBytes > 0) {
      turns++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [, sum] = await program.until(/([0-9a-f]{64})/);
    expect(sum).toBe(createHash('sha256').update(paste).digest('hex'));
    // Each write fills the terminal's buffer, some tens of KiB; how often two of them coincide depends on the machine.
    expect(turns).toBeGreaterThan(8);
    await program.closed;
  });

  it('of many small pieces arrives completely and in order', async () => {
    const paste = randomBytes(200_000);
    const program = new Program([fixture('raw-sha256'), String(paste.length)]);
    await program.until(/ready/);
    for (let at = 0; at < paste.length; at += 97) program.pty.write(paste.subarray(at, at + 97));
    const [, sum] = await program.until(/([0-9a-f]{64})/);
    expect(sum).toBe(createHash('sha256').update(paste).digest('hex'));
  });

  it('that a program does not read costs almost no time and delays no other terminal', async () => {
    const stalled = shell('stty raw -echo; echo ready; exec sleep 1000');
    await stalled.until(/ready/);
    stalled.pty.write(randomBytes(PASTE_BYTES));
    const shares: number[] = [];
    while (shares.length < 4) shares.push(await coreShareOf(() => shell('sleep 0.4').closed));
    expect(stalled.pty.pendingInputBytes).toBeGreaterThan(0);
    // A writer that spins uses a whole core all the time; this one was measured at 1 %. Garbage from before is
    // collected during some of these measurements, but not all.
    expect(Math.min(...shares)).toBeLessThan(0.5);
    stalled.pty.close();
    expect(stalled.pty.pendingInputBytes).toBe(0);
    await stalled.closed;
  });

  it('typed after the program has ended is dropped', async () => {
    const program = shell('exit 0');
    await program.exited;
    program.type('x');
    await program.closed;
    program.type('x');
    expect(program.pty.pendingInputBytes).toBe(0);
  });

  it('of Ctrl-C interrupts a flood', async () => {
    const program = new Program(['/usr/bin/yes']);
    await program.until(/y/);
    program.type('\x03');
    expect(await program.exited).toEqual({ exitCode: null, signal: 'SIGINT' });
  });
});

describe('the size', () => {
  it('is the requested one, and the program is notified of a change', async () => {
    const program = shell("trap 'stty size; exit' WINCH; stty size; while :; do read x; done");
    await program.until(/^24 80\r\n/);
    program.pty.resize(132, 43);
    await program.until(/43 132/);
    await program.closed;
  });
});

describe('the foreground', () => {
  it('is what the shell runs at the moment, and nothing after it has ended', async () => {
    const program = new Program(['/bin/bash', '--norc', '--noprofile', '-i']);
    await program.until(/prompt\$ /);
    expect(program.pty.foreground()).toEqual({ pid: program.pty.pid, name: 'bash' });
    // Text typed before the program runs goes to the shell, for which Enter is a different character.
    program.type(`sh -c 'echo re""ady; exec cat'\r`);
    await program.until(/[\r\n]ready\r\n/);
    program.type('hello\r');
    await program.until(/hello\r\n.*hello\r\n/s);
    expect(program.pty.foreground()).toMatchObject({ name: 'cat' });
    program.type('\x04');
    await program.until(/hello\r\n.*prompt\$ /s);
    program.type('exit\r');
    await program.closed;
    expect(program.pty.foreground()).toBeNull();
  });
});
