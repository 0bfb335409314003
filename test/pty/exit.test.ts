/** Tests how a program's exit is reported, what callbacks may do, and that nothing of its terminal is left behind. */
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { Pty } from '../../src/pty/pty.js';
import { Program, shell } from './program.js';
import { openDescriptors } from './remains.js';

const BARE = { env: { PATH: '/usr/bin:/bin' }, cwd: '/', cols: 80, rows: 24 };

describe('the exit', () => {
  it('contains the exit code, whichever it is', async () => {
    const codes = Array.from({ length: 256 }, (_, code) => code);
    const lane = async (first: number): Promise<void> => {
      for (const code of codes.filter((each) => each % 16 === first)) {
        expect(await shell(`exit ${code}`).exited).toEqual({ exitCode: code, signal: null });
      }
    };
    await Promise.all(codes.slice(0, 16).map(lane));
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM', 'SIGUSR1', 'SIGPIPE', 'SIGALRM', 'SIGSEGV'])(
    'names the signal %s',
    async (signal) => {
      const program = shell(`ulimit -c 0; kill -${signal.slice(3)} $$; sleep 1000`);
      expect(await program.exited).toEqual({ exitCode: null, signal });
    },
  );

  it('names a real-time signal by its number', async () => {
    const program = new Program(['/bin/bash', '-c', 'kill -40 $$; sleep 1000']);
    expect(await program.exited).toEqual({ exitCode: null, signal: 'SIG40' });
  });

  it('of a program that cannot be executed is 1, with the reason in the output', async () => {
    const program = new Program(['/no/such/program']);
    expect(await program.exited).toEqual({ exitCode: 1, signal: null });
    expect(program.output).toContain('No such file or directory');
  });

  it('is reported once, after all output, and the close once after it', async () => {
    const programs = Array.from({ length: 30 }, () => shell('echo a; exit 1'));
    await Promise.all(programs.map((program) => program.closed));
    for (const { events } of programs) expect(events).toEqual(['data', 'exit', 'close']);
  });
});

describe('close', () => {
  it('hangs up the program', async () => {
    const program = shell('echo ready; exec sleep 1000');
    await program.until(/ready/);
    program.pty.close();
    expect(await program.exited).toEqual({ exitCode: null, signal: 'SIGHUP' });
    await program.closed;
    expect(program.events).toEqual(['data', 'exit', 'close']);
  });

  it('is followed by the exit and the close when a program that ignores it ends', async () => {
    const program = shell("trap '' HUP; echo ready; while [ ! -e /proc/$$/gone ]; do kill -9 $$; done");
    program.pty.close();
    await program.closed;
    expect(program.events).toEqual(['exit', 'close']);
  });

  it('can be called from every callback', async () => {
    const calls: string[] = [];
    await new Promise<void>((resolve) => {
      const pty = Pty.spawn(
        { ...BARE, file: '/usr/bin/seq', args: ['1', '20000'] },
        {
          onData: () => {
            calls.push('data');
            pty.close();
          },
          onExit: () => {
            calls.push('exit');
            pty.close();
          },
          onClose: () => {
            calls.push('close');
            pty.close();
            resolve();
          },
        },
      );
    });
    expect(calls).toEqual(['data', 'exit', 'close']);
  });

  it('never uses the descriptor again, even if its number belongs to another file', async () => {
    const program = shell('sleep 1000');
    const before = new Set(openDescriptors());
    program.pty.close();
    const reused: number[] = [];
    while (openDescriptors().length < before.size) reused.push(openSync('/dev/null', 'r+'));
    program.pty.close();
    program.pty.write(Buffer.from('x'));
    program.pty.resize(100, 30);
    program.pty.pause();
    program.pty.resume();
    await program.closed;
    program.pty.close();
    for (const fd of reused) expect(fstatSync(fd).isCharacterDevice()).toBe(true);
    reused.forEach((fd) => closeSync(fd));
  });
});

describe('descriptors', () => {
  it('are as many after a hundred terminals as before', async () => {
    await shell('true').closed;
    const before = openDescriptors().length;
    const lane = async (): Promise<void> => {
      for (let run = 0; run < 10; run++) await shell('echo x').closed;
    };
    await Promise.all(Array.from({ length: 10 }, lane));
    const programs = Array.from({ length: 20 }, () => shell('sleep 1000'));
    for (const { pty } of programs) pty.close();
    await Promise.all(programs.map(({ closed }) => closed));
    expect(openDescriptors()).toHaveLength(before);
  });

  /** The listing's own descriptor is 3. */
  const LIST = 'ls /proc/self/fd | tr "\\n" " "';
  /** What any child gets, since the test may itself have inherited descriptors. */
  const usual = execFileSync('/bin/sh', ['-c', LIST], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

  it('of terminals are not inherited by another, whatever their numbers', async () => {
    const programs = Array.from({ length: 40 }, () => shell('sleep 1000'));
    for (const { pty } of programs.filter((_, index) => index % 3 === 1)) pty.close();
    for (let run = 0; run < 5; run++) {
      const list = shell(LIST);
      await list.closed;
      expect(list.output).toBe(usual);
    }
    for (const { pty } of programs) pty.close();
    await Promise.all(programs.map(({ closed }) => closed));
  });

  it('are not inherited even if there are too many gaps to fill', async () => {
    const fillers = Array.from({ length: 400 }, () => openSync('/dev/null', 'r'));
    const far = shell('sleep 1000');
    fillers.forEach((fd) => closeSync(fd));
    const before = openDescriptors().length;
    const list = new Program(['/bin/sh', '-c', `${LIST}; echo "[$1]"; env; exit 9`, 'sh', 'a \'b" $c\n']);
    expect(await list.exited).toEqual({ exitCode: 9, signal: null });
    await list.closed;
    expect(list.output.replaceAll('\r\n', '\n')).toContain('0 1 2 3 [a \'b" $c\n]\n');
    expect(list.output).not.toContain('BASH');
    expect(list.output).toContain(`TENACITTY_TERMINAL_ID=${list.terminalId}`);
    expect(openDescriptors()).toHaveLength(before);
    far.pty.close();
    await far.closed;
  });
});

describe('a callback that throws', () => {
  it('is reported separately and stops nothing', async () => {
    const thrown: unknown[] = [];
    const spy = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation((task: () => void) => {
      try {
        task();
      } catch (error) {
        thrown.push((error as Error).message);
      }
    });
    const before = openDescriptors().length;
    await new Promise<void>((resolve) => {
      Pty.spawn(
        { ...BARE, file: '/bin/echo', args: ['x'] },
        {
          onData: () => {
            throw new Error('data');
          },
          onExit: () => {
            throw new Error('exit');
          },
          onClose: () => {
            resolve();
            throw new Error('close');
          },
        },
      );
    });
    spy.mockRestore();
    expect(thrown).toEqual(['data', 'exit', 'close']);
    expect(openDescriptors()).toHaveLength(before);
  });
});

describe('spawn', () => {
  it('fails with SPAWN_FAILED if the system refuses', () => {
    const options = { ...BARE, file: '/bin/true', args: [], cols: 'wide' as unknown as number };
    const events = { onData: () => {}, onExit: () => {}, onClose: () => {} };
    expect(() => Pty.spawn(options, events)).toThrow(
      expect.objectContaining({ code: 'SPAWN_FAILED', details: { file: '/bin/true' } }),
    );
  });
});
