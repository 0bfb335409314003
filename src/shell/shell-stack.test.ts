/**
 * Tests nested shells with marks in any order: each command ends once, after everything within it; exec goes to the
 * innermost shell; and no output is withheld for ever.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { CommandLog } from './command-log.js';
import type { LoggedCommand } from './command-log.js';
import { ScriptFiles } from './script-files.js';
import { ShellStack } from './shell-stack.js';
import type { ShellTerminal } from './display.js';

/** Far above any real process id. */
const PID = 1 << 30;
const NONCE = 'outer';

/** A terminal that records what is shown and typed. */
class FakeTerminal implements ShellTerminal {
  shown = '';
  typed = '';
  show(bytes: Uint8Array): void {
    this.shown += Buffer.from(bytes).toString('latin1');
  }
  type(input: string | Uint8Array): void {
    this.typed += typeof input === 'string' ? input : Buffer.from(input).toString('latin1');
  }
  outputEnd(): number {
    return this.shown.length;
  }
  line(): number {
    return 0;
  }
  column(): number {
    return 0;
  }
  isPaused(): boolean {
    return false;
  }
  typist(): undefined {
    return undefined;
  }
  outputFrom(offset: number): Buffer {
    return Buffer.from(this.shown.slice(Math.max(0, offset)), 'latin1');
  }
  columns(): number {
    return 80;
  }
  cwd(): null {
    return null;
  }
  changed(): void {}
}

/** A bash with nested shells, as many levels deep as were integrated. */
class Shells {
  readonly terminal = new FakeTerminal();
  readonly ends: LoggedCommand[] = [];
  readonly log = new CommandLog([], (command) => {
    if (command.ended !== null) this.ends.push(command);
  });
  shell: ShellStack;
  /** Nonces of the integrated shells, outermost first; some may be over. */
  readonly nonces = [NONCE];
  #turn = 0;

  constructor(directory: string) {
    this.shell = ShellStack.start('bash', new ScriptFiles(directory, NONCE), PID, this.terminal, this.log);
    this.prompt(0);
  }

  mark(depth: number, fields: string): void {
    const nonce = this.nonces[depth % this.nonces.length]!;
    this.shell.take(Buffer.from(`\x1b]7717;${nonce};${fields}\x07`));
  }

  pidOf(depth: number): number {
    return PID + (depth % this.nonces.length);
  }

  prompt(depth: number): void {
    const pid = this.pidOf(depth);
    this.mark(depth, `D;h${++this.#turn};0;${pid};/d`);
    this.mark(depth, `A;${pid}`);
    this.mark(depth, `B;${pid};1`);
  }

  /** The sent command begins. */
  begin(depth: number): void {
    this.mark(depth, `C;${this.#sent()};${this.pidOf(depth)}`);
  }

  end(depth: number, command: number): void {
    this.mark(depth, `D;${command};7;${this.pidOf(depth)};/d`);
  }

  want(): void {
    if (this.shell.isFree) this.shell.request('text');
  }

  /** The running command has started another shell; integrates it, up to its prompt. */
  integrate(): void {
    if (this.shell.running === null || this.shell.isIntegrating) return;
    const before = this.terminal.typed.length;
    this.shell.integrate({ pid: null, by: 'typing', opening: 'sh' });
    this.nonces.push(/7717;([^;]+);N/.exec(this.terminal.typed.slice(before))![1]!);
    const depth = this.nonces.length - 1;
    this.mark(depth, `N;0;${this.pidOf(depth)};bash`);
    this.mark(depth, `I;${this.pidOf(depth)};bash;5`);
    this.prompt(depth);
  }

  handOver(): void {
    const handed = JSON.parse(JSON.stringify(this.shell.handOver())) as ReturnType<ShellStack['handOver']>;
    this.shell = ShellStack.resume(handed, this.terminal, this.log);
  }

  #sent(): number {
    return Number(
      /__tenacitty_c (\d+)[^]*?$/.exec(
        this.terminal.typed.slice(this.terminal.typed.lastIndexOf('__tenacitty_c')),
      )?.[1] ?? 0,
    );
  }
}

const directory = mkdtempSync(join(tmpdir(), 'tenacitty-shells-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a shell stack', () => {
  it('runs a command in the innermost shell, and drops the shells within a command when it ends', () => {
    const shells = new Shells(directory);
    shells.want();
    shells.begin(0);
    shells.integrate();
    expect(shells.shell.inner).toMatchObject({ within: 1, kind: 'bash', version: '5', pid: null });
    shells.want();
    shells.begin(1);
    expect(shells.shell.running).toBe(2);
    shells.end(0, 1);
    expect(shells.shell.inner).toBeNull();
    expect(shells.ends.map(({ commandId, exitCode, via, within }) => ({ commandId, exitCode, via, within }))).toEqual([
      { commandId: 2, exitCode: null, via: 'exit', within: 1 },
      { commandId: 1, exitCode: 7, via: 'marker', within: null },
    ]);
    shells.shell.close();
  });

  it('keeps input typed after a parked line, even if the reader cannot be determined for a moment', () => {
    jest.useFakeTimers();
    const shells = new Shells(directory);
    shells.shell.type(Buffer.from('echo be'));
    shells.want();
    shells.mark(0, `R;${PID};7`);
    shells.begin(0);
    shells.shell.type(Buffer.from('gun\r'));
    jest.advanceTimersByTime(600);
    shells.end(0, 1);
    shells.prompt(0);
    shells.shell.close();
    jest.useRealTimers();
    expect(shells.terminal.typed).toMatch(/\x1b\[7718~gun\r$/);
  });

  it('ends each command once and inner ones first, in any order of events', () => {
    const depth = fc.nat(3);
    const step = fc.oneof(
      fc.constant((shells: Shells) => shells.want()),
      fc.constant((shells: Shells) => shells.integrate()),
      fc.constant((shells: Shells) => shells.handOver()),
      fc.constant((shells: Shells) => shells.shell.type(Buffer.from('ls\r'))),
      fc.constant((shells: Shells) => shells.shell.take(Buffer.from('output\r\n'))),
      depth.map((at) => (shells: Shells) => shells.prompt(at)),
      depth.map((at) => (shells: Shells) => shells.begin(at)),
      fc.tuple(depth, fc.nat(9)).map(
        ([at, command]) =>
          (shells: Shells) =>
            shells.end(at, command),
      ),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const shells = new Shells(directory);
        for (const take of steps) {
          take(shells);
          const open = shells.log.all.filter(({ ended }) => ended === null).map(({ commandId }) => commandId);
          const { running, inner } = shells.shell;
          // The open ones lead from the terminal's own shell to the innermost.
          const context = open.filter((command) => shells.shell.containsShell(command));
          expect(open.filter((command) => command !== running)).toEqual(context);
          expect(inner?.within ?? null).toBe(context.at(-1) ?? null);
        }
        shells.shell.exited({ exitCode: 0, signal: null });
        const ended = shells.ends.map(({ commandId }) => commandId);
        expect(new Set(ended).size).toBe(ended.length);
        expect(shells.log.all.every((command) => command.ended !== null)).toBe(true);
        for (const { commandId, within } of shells.ends) {
          if (within !== null) expect(ended.indexOf(commandId)).toBeLessThan(ended.indexOf(within));
        }
        expect(shells.shell.display.isHeld).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
