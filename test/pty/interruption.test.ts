/**
 * Tests Ctrl-C for programs that a shell runs: it also reaches a program that does not run yet when the key is pressed,
 * and reaches none twice.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interruptCommand } from '../../src/processes/interruption.js';
import { killTree } from '../../src/processes/kill.js';
import { Program } from './program.js';

let directory: string;
let program: Program;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-interruption-'))));
afterEach(async () => {
  await killTree(program.target, { signal: 'SIGKILL', graceMs: 0 });
  await program.closed;
  rmSync(directory, { recursive: true });
});

/**
 * Starts a program as a shell does, ignoring keys meanwhile. The forked process becomes the program once the file `go`
 * exists.
 */
const SHELL = `
import os, signal, time
def say(text): os.write(1, text.encode() + b"\\n")
def begin(takes_foreground_first):
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        if takes_foreground_first: os.tcsetpgrp(0, os.getpgrp())
        say("forked")
        while not os.path.exists("go"): time.sleep(0.01)
        os.tcsetpgrp(0, os.getpgrp())
        os.execvp("sh", ["sh", "-c", "echo running; exec sleep 1000"])
    return child
def end(child):
    while True:
        try: return say("ended by %d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        except InterruptedError: pass
`;
/** The key is pressed before the program has the foreground, or between that and its start. */
const early = (takesForegroundFirst: boolean): string => `${SHELL}
signal.signal(signal.SIGINT, lambda *_: None)
end(begin(${takesForegroundFirst ? 'True' : 'False'}))
`;
/** Starts it only because of the key. */
const TRAP = `${SHELL}
signal.signal(signal.SIGINT, lambda *_: end(begin(True)))
say("begun")
signal.pause()
`;

/** Presses the key in a shell; returns how often. */
async function press(until: Promise<unknown> = Promise.resolve()): Promise<number> {
  let presses = 0;
  const type = (): void => {
    presses++;
    program.type('\x03');
  };
  const isOver = (): boolean => program.output.includes('ended');
  const pressing = interruptCommand({ pid: program.pty.pid, tty: null, type, isOver });
  await Promise.all([pressing, until]);
  return presses;
}

const start = (script: string): Program =>
  new Program(['/bin/sh', '-c', 'cd "$0" && exec python3 -c "$1"', directory, script]);
const go = (): void => writeFileSync(join(directory, 'go'), '');

describe('Ctrl-C', () => {
  it.each([
    ['gets the foreground only after it', false],
    ['has the foreground, but has not started', true],
  ])('ends a program that %s', async (_when, takesForegroundFirst) => {
    program = start(early(takesForegroundFirst));
    await program.until(/forked/);
    const pressed = press();
    await program.until(/\^C/);
    go();
    expect(await pressed).toBe(2);
    await program.until(/ended by -2/);
  });

  it('is typed once if the program runs', async () => {
    program = start(early(true));
    go();
    await program.until(/running/);
    expect(await press(program.until(/ended by -2/))).toBe(1);
  });

  it('is not typed again for a program that was started because of it', async () => {
    program = start(TRAP);
    go();
    await program.until(/begun/);
    expect(await press(program.until(/running/))).toBe(1);
    expect(program.output).not.toContain('ended');
  });
});
