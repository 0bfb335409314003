/** Ctrl-C to what a shell runs: heard also by a program that does not run yet when it comes, and by no other twice. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pressUntilHeard } from '../../src/terminal/interruption.js';
import { killTree } from '../../src/terminal/kill.js';
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
 * Begins a program as a shell does, which heeds no key while it waits for it; the program takes the foreground when
 * there is a file `go`, as late as a machine may be that has much to do.
 */
const SHELL = `
import os, signal, time
def say(text): os.write(1, text.encode() + b"\\n")
def begin():
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        while not os.path.exists("go"): time.sleep(0.01)
        os.tcsetpgrp(0, os.getpgrp())
        say("running")
        time.sleep(1000)
    return child
def end(child):
    say("ended by %d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`;
const EARLY = `${SHELL}
signal.signal(signal.SIGINT, signal.SIG_IGN)
child = begin()
say("begun")
end(child)
`;
/** Begins it only because of the key. */
const TRAP = `${SHELL}
signal.signal(signal.SIGINT, lambda *_: end(begin()))
say("begun")
signal.pause()
`;

/** Presses the key on a shell; gives how often. */
async function press(until: Promise<unknown> = Promise.resolve()): Promise<number> {
  let presses = 0;
  const type = (): void => {
    presses++;
    program.type('\x03');
  };
  const pressing = pressUntilHeard({ pid: program.pty.pid, type, isOver: () => program.output.includes('ended') });
  await Promise.all([pressing, until]);
  return presses;
}

const start = (script: string): Program =>
  new Program(['/bin/sh', '-c', 'cd "$0" && exec python3 -c "$1"', directory, script]);
const go = (): void => writeFileSync(join(directory, 'go'), '');

describe('Ctrl-C', () => {
  it('ends a program that has the foreground only after it', async () => {
    program = start(EARLY);
    await program.until(/begun/);
    const pressed = press();
    await program.until(/\^C/);
    go();
    expect(await pressed).toBe(2);
    await program.until(/ended by -2/);
  });

  it('is pressed once where the program has the foreground', async () => {
    program = start(EARLY);
    go();
    await program.until(/running/);
    expect(await press(program.until(/ended by -2/))).toBe(1);
  });

  it('is not pressed on a program that was begun because of it', async () => {
    program = start(TRAP);
    go();
    await program.until(/begun/);
    expect(await press(program.until(/running/))).toBe(1);
    expect(program.output).not.toContain('ended');
  });
});
