/**
 * Tests that ending a terminal ends every process of it, whatever it is and wherever it has moved, and nothing else.
 */
import { spawn } from 'node:child_process';
import { killTree, signalTerminal } from '../../src/processes/kill.js';
import { fixture, Program, shell } from './program.js';
import { openDescriptors, processesOf } from './remains.js';

/** Longer than a test may take, so that a passing test has not waited for it. */
const ENDLESS = { signal: 'SIGTERM', graceMs: 3_600_000 } as const;
const SHORT = { signal: 'SIGTERM', graceMs: 100 } as const;

/** Each case is repeated, because possible failures are races. */
const REPETITIONS = 5;

async function interactive(commands: string, marker: RegExp): Promise<Program> {
  const program = new Program(['/bin/bash', '--norc', '--noprofile', '-i']);
  await program.until(/prompt\$ /);
  if (commands !== '') program.type(`${commands}\r`);
  await program.until(marker);
  return program;
}

async function running(script: string, marker = /ready/): Promise<Program> {
  const program = shell(script);
  await program.until(marker);
  return program;
}

async function expectNothingLeft(program: Program): Promise<void> {
  expect(processesOf(program.terminalId)).toEqual([]);
  await program.closed;
}

describe('without a grace period, killTree ends', () => {
  const cases: Record<string, () => Promise<Program>> = {
    'an idle bash, which ignores SIGTERM': () => interactive('', /prompt\$ /),
    'a bash with background jobs': () => interactive('sleep 1000 & sleep 1001 & echo jobs$((1))', /jobs1/),
    'a bash with a job that ignores SIGHUP': () => interactive('nohup sleep 1000 & echo jobs$((1))', /jobs1/),
    'a bash that was left by disowned jobs': () => interactive('sleep 1000 & disown -a; echo jobs$((1))', /jobs1/),
    'a bash with a stopped job': async () => {
      const program = await interactive('sh -c "echo running; exec sleep 1000"', /running\r\n/);
      program.type('\x1a');
      await program.until(/Stopped/);
      return program;
    },
    'a bash inside a bash': () => interactive('bash --norc -i', /prompt\$ .*prompt\$ /s),
    'a program that looks at its next signal only whether it was hung up': () =>
      running(`exec ${fixture('late-hangup')}`),
    'a bash in a loop of commands': () => interactive('while :; do /bin/true; echo turn$((1)); done', /turn1/),
    'a program that is no shell': () => running('echo ready; exec sleep 1000'),
    'a stopped program': () => running('echo ready; kill -STOP $$; exec sleep 1000'),
    'a pipeline': () => running('echo ready; sleep 1000 | cat | cat'),
    'a child in a session of its own': () => running('setsid sleep 1000 & echo ready; wait'),
    'a daemon without parent, session or terminal in common': () =>
      running(`${fixture('leave-daemon')}; cat`, /daemon/),
    'a child without the mark': () => running('env -i /bin/sh -c "echo ready; /bin/sleep 1000; :"'),
    'a child without the mark in a session of its own': () =>
      running('env -i setsid -w /bin/sh -c "echo ready; /bin/sleep 1000; :"'),
    'a program that forks when it gets the signal': () =>
      running('trap "sleep 1000 & setsid sleep 1000 & exit 0" TERM; echo ready; while :; do sleep 0.01; done'),
  };

  it.each(Object.entries(cases))('%s', async (_what, start) => {
    for (let run = 0; run < REPETITIONS; run++) {
      const program = await start();
      expect(await killTree(program.target, ENDLESS)).toEqual([]);
      await expectNothingLeft(program);
    }
  });

  it('everything left of a terminal whose program has ended', async () => {
    const program = shell("trap '' HUP; sleep 1000 & setsid sleep 1000 & env -i /bin/sleep 1000 & exit 0");
    await program.exited;
    expect(await killTree(program.target, ENDLESS)).toEqual([]);
    await expectNothingLeft(program);
  });

  it('nothing, if nothing is left', async () => {
    const program = shell('exit 0');
    await program.closed;
    expect(await killTree(program.target, ENDLESS)).toEqual([]);
  });

  it('a terminal known only by pid and mark', async () => {
    const program = await interactive('', /prompt\$ /);
    const { pid, terminalId } = program.target;
    expect(await killTree({ pid, terminalId }, ENDLESS)).toEqual([]);
    await expectNothingLeft(program);
  });
});

describe('the grace period', () => {
  it('is available to a program that cleans up, and to the processes it starts for that', async () => {
    const cleanUp = 'seq 1 20000 >/dev/null; sh -c "sleep 0.2; echo swept"; echo cleaned; exit 5';
    const script = `trap '${cleanUp}' TERM; echo ready; while :; do sleep 0.01; done`;
    const program = await running(script);
    expect(await killTree(program.target, ENDLESS)).toEqual([]);
    expect(await program.exited).toEqual({ exitCode: 5, signal: null });
    expect(program.output).toContain('swept\r\ncleaned\r\n');
    await expectNothingLeft(program);
  });

  it('is followed by SIGKILL for processes that ignore the signal', async () => {
    for (let run = 0; run < REPETITIONS; run++) {
      const program = await running("trap '' TERM HUP INT; sleep 1000 & setsid sleep 1000 & echo ready; sleep 1000");
      expect(await killTree(program.target, SHORT)).toEqual([]);
      expect(await program.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
      await expectNothingLeft(program);
    }
  });

  it('does not exist with SIGKILL, or if it is zero', async () => {
    for (const options of [{ ...ENDLESS, signal: 'SIGKILL' } as const, { ...ENDLESS, graceMs: 0 }]) {
      const program = await running("trap '' TERM HUP; echo ready; sleep 1000 & sleep 1000");
      expect(await killTree(program.target, options)).toEqual([]);
      expect(await program.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
      await expectNothingLeft(program);
    }
  });

  it('starts with the chosen signal', async () => {
    const program = await running('trap "exit 12" USR1; echo ready; while :; do sleep 0.01; done');
    expect(await killTree(program.target, { ...ENDLESS, signal: 'SIGUSR1' })).toEqual([]);
    expect(await program.exited).toEqual({ exitCode: 12, signal: null });
  });
});

describe('a process that tries to escape', () => {
  it('by repeatedly starting the next one and exiting is ended', async () => {
    for (let run = 0; run < REPETITIONS; run++) {
      const program = shell(`${fixture('hopping')} 3000`);
      await program.exited;
      expect(await killTree(program.target, SHORT)).toEqual([]);
      await expectNothingLeft(program);
    }
  });

  it('by forking faster than it is observed is ended', async () => {
    const program = await running(
      "trap '' TERM HUP; n=0; while [ $n -lt 300 ]; do sleep 1000 & setsid sleep 1000 & n=$((n+1)); echo $n; done; cat",
      /^20\r\n/m,
    );
    expect(await killTree(program.target, { signal: 'SIGKILL', graceMs: 0 })).toEqual([]);
    await expectNothingLeft(program);
  });
});

describe('ending many at once', () => {
  it('ends a hundred terminals together, and leaves no process and no descriptor', async () => {
    const before = openDescriptors().length;
    const programs = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0 ? interactive('sleep 1000 &', /\d+\r\n/) : running('echo ready; exec sleep 1000'),
      ),
    );
    const left = await Promise.all(programs.map(({ target }) => killTree(target, ENDLESS)));
    expect(left.flat()).toEqual([]);
    for (const program of programs) await expectNothingLeft(program);
    expect(openDescriptors()).toHaveLength(before);
  });
});

describe('unrelated processes', () => {
  it('are left alone: other terminals, other children of this process, and this process', async () => {
    const other = await running('echo ready; exec sleep 1000');
    const sibling = spawn('/bin/sleep', ['1000']);
    const program = await interactive('sleep 1000 &', /\d+\r\n/);
    expect(await killTree(program.target, ENDLESS)).toEqual([]);
    expect(processesOf(other.terminalId)).toHaveLength(1);
    expect(sibling.exitCode).toBeNull();
    expect(sibling.signalCode).toBeNull();
    sibling.kill('SIGKILL');
    await killTree(other.target, ENDLESS);
    await other.closed;
  });

  it('are left alone if they got the pid of a program that has ended', async () => {
    const stranger = await running('echo ready; exec sleep 1000');
    const target = { pid: stranger.pty.pid, startTime: stranger.pty.startTime! - 1, terminalId: 'ended-long-ago' };
    expect(await killTree(target, ENDLESS)).toEqual([]);
    expect(await signalTerminal(target, 'SIGKILL', 'foreground')).toBe(0);
    expect(await signalTerminal(target, 'SIGKILL', 'all')).toBe(0);
    expect(await killTree({ pid: target.pid, terminalId: target.terminalId }, ENDLESS)).toEqual([]);
    expect(processesOf(stranger.terminalId)).toHaveLength(1);
    await killTree(stranger.target, ENDLESS);
    await stranger.closed;
  });
});

describe('a signal', () => {
  it('to the foreground reaches what runs there and not the shell', async () => {
    const program = await interactive('sh -c "echo running; exec sleep 1000"', /running\r\n/);
    expect(await signalTerminal(program.target, 'SIGINT', 'foreground')).toBe(1);
    // bash may discard text that is typed before the prompt has returned.
    await program.until(/running\r\n[^]*prompt\$ $/);
    program.type('echo code$?\r');
    await program.until(/code130/);
    await killTree(program.target, ENDLESS);
    await expectNothingLeft(program);
  });

  it('to all reaches the background too', async () => {
    const script =
      'sh -c "trap \'echo got-it; exit\' USR1; echo back; while :; do sleep 0.01; done" & trap : USR1; wait; cat';
    const program = await running(script, /back/);
    expect(await signalTerminal(program.target, 'SIGUSR1', 'all')).toBeGreaterThanOrEqual(2);
    await program.until(/got-it/);
    await killTree(program.target, ENDLESS);
    await expectNothingLeft(program);
  });

  it('to a terminal whose program has ended reaches no process', async () => {
    const program = shell('exit 0');
    await program.closed;
    expect(await signalTerminal(program.target, 'SIGTERM', 'foreground')).toBe(0);
    expect(await signalTerminal(program.target, 'SIGTERM', 'all')).toBe(0);
  });
});
