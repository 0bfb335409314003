/**
 * Tests a shell's session: never two commands at once, no unreported end, nothing typed while no line is being read.
 */
import fc from 'fast-check';
import type { Mark } from '../marker.js';
import { newSession } from './data.js';
import { ShellSession } from './session.js';
import type { CommandEnd, CommandRefusal, SessionEffects } from './effects.js';
import { RELOAD_GRACE_MS, HOOK_GRACE_MS, PARK_GRACE_MS, START_GRACE_MS } from './limits.js';
import { runs } from '../../../test/deep.js';

const SHELL = 42;
const LOADED = { verb: 'loaded', program: 'bash', version: '5.2' } as const;

/** Records what a session requests. */
class Notes implements SessionEffects {
  readonly all: string[] = [];
  running: number | 'typed' | null = null;
  sent: number[] = [];
  ends: CommandEnd[] = [];
  isHeld = false;
  isInPlace = true;
  send(command: number): void {
    this.all.push(`send ${command}`);
    this.sent.push(command);
    this.isHeld = true;
  }
  typeNextLine(command: number): void {
    expect(this.isHeld).toBe(true);
    this.all.push(`give ${command}`);
  }
  park(isLitter: boolean): void {
    this.all.push(isLitter ? 'drop' : 'park');
  }
  unpark(): void {
    this.all.push('unpark');
  }
  hasParkKey = true;
  restoresLine = true;
  canConfirmPrompt = false;
  confirmPrompt = (): void => void this.all.push('confirm');
  typeDelayed(): void {}
  reloadIntegration(): void {
    this.all.push('heal');
    this.isHeld = true;
  }
  release(heldBack: 'echo' | 'output'): void {
    expect(this.isHeld).toBe(true);
    this.isHeld = false;
    this.all.push(`release ${heldBack}`);
  }
  began(command: number): void {
    expect(this.running).toBeNull();
    expect(this.sent).toContain(command);
    this.running = command;
    this.all.push(`began ${command}`);
  }
  typedBegan(): void {
    expect(this.running).toBeNull();
    this.running = 'typed';
    this.all.push('typed began');
  }
  withdrawn(): void {
    expect(this.running).toBe('typed');
    this.running = null;
  }
  ended(end: CommandEnd): void {
    expect(this.running).not.toBeNull();
    this.running = null;
    this.ends.push(end);
    this.all.push(`ended ${end.exitCode} ${end.via}`);
  }
  refused(command: number, why: CommandRefusal): void {
    this.all.push(`refused ${command} ${why}`);
  }
}

let now = 0;
let notes: Notes;
let session: ShellSession;
beforeEach(() => {
  now = 1000;
  notes = new Notes();
  session = new ShellSession(newSession(SHELL), notes);
});

type Told = Mark extends infer One ? (One extends Mark ? Omit<One, 'instance'> : never) : never;
function tell(mark: Told, instance = SHELL): void {
  session.take({ ...mark, instance }, now);
}

let turn = 0;
const returned = (status = 0): Told => ({ verb: 'returned', turn: ++turn, status, directory: '/d' });
const ended = (command: number, status = 0): Told => ({ verb: 'ended', command, status, directory: '/d' });
const began = (command: number): Told => ({ verb: 'began', command });

/** The shell reaches its prompt. */
function prompt(): void {
  tell(returned());
  tell({ verb: 'promptStart' });
  tell({ verb: 'promptEnd', history: null });
}

describe('a shell session', () => {
  it('takes an Enter for the answer to a question of the prompt hook, if the shell then reads without a report', () => {
    session.request(1, now);
    prompt();
    tell(began(1));
    tell(ended(1));
    session.typed(true);
    prompt();
    expect(session.state).toBe('submitted');
    session.request(2, now);
    session.shellReads(now);
    tell({ verb: 'parked', isEmpty: true });
    expect(notes.all.slice(-2)).toEqual(['park', 'send 2']);
  });

  it('sends a command at the first prompt, and reports its end', () => {
    session.request(1, now);
    expect(notes.all).toEqual([]);
    prompt();
    tell(began(1));
    tell(ended(1, 3));
    expect(notes.all).toEqual(['send 1', 'release echo', 'began 1', 'ended 3 marker']);
    expect(session).toMatchObject({ state: 'settling', directory: '/d' });
  });

  it('sends the next command after the next prompt, not before', () => {
    prompt();
    session.request(1, now);
    tell(began(1));
    tell(ended(1));
    session.request(2, now);
    tell(returned());
    tell({ verb: 'promptStart' });
    expect(notes.sent).toEqual([1]);
    tell({ verb: 'promptEnd', history: null });
    expect(notes.sent).toEqual([1, 2]);
  });

  it('refuses a command for a place that the shell has left, and restores the line', () => {
    prompt();
    session.typed(false);
    session.request(1, now);
    notes.isInPlace = false;
    tell({ verb: 'parked', isEmpty: false });
    expect(notes.all).toEqual(['park', 'refused 1 moved', 'unpark']);
    expect(session).toMatchObject({ state: 'typing', isFree: true });
    notes.isInPlace = true;
    session.request(2, now);
    tell({ verb: 'parked', isEmpty: false });
    expect(notes.sent).toEqual([2]);
  });

  it('accepts the hook’s result when the next prompt begins', () => {
    prompt();
    session.request(1, now);
    tell(began(1));
    tell(returned(130));
    expect(notes.running).toBe(1);
    tell({ verb: 'promptStart' });
    expect(notes.ends).toEqual([{ exitCode: 130, directory: '/d', via: 'prompt' }]);
  });

  it('accepts the hook’s result after a while if no prompt appears', () => {
    prompt();
    session.request(1, now);
    tell(began(1));
    tell(returned(4));
    session.tick((now += HOOK_GRACE_MS - 1));
    expect(notes.ends).toEqual([]);
    session.tick((now += 1));
    expect(notes.ends).toEqual([{ exitCode: 4, directory: '/d', via: 'prompt' }]);
  });

  it('believes the hook and the prompt only once the kernel confirms them, if it can', () => {
    notes.canConfirmPrompt = true;
    prompt();
    session.request(1, now);
    tell(began(1));
    prompt();
    tell(began(0));
    session.tick((now += HOOK_GRACE_MS));
    expect(notes.all.slice(-2)).toEqual(['began 1', 'confirm']);
    tell(returned(130));
    session.promptConfirmed(now);
    expect(notes.ends).toEqual([{ exitCode: 130, directory: '/d', via: 'prompt', isAtPrompt: true }]);
    expect(session.state).toBe('prompt');
  });

  it('takes a typed line for the proof of a prompt if an Enter was typed', () => {
    notes.canConfirmPrompt = true;
    prompt();
    session.request(1, now);
    tell(began(1));
    tell(returned(130));
    session.typed(true);
    tell(began(0));
    expect(notes.all.slice(-2)).toEqual(['ended 130 prompt', 'typed began']);
  });

  it('reports the end of the shell as the end of its command', () => {
    prompt();
    session.request(1, now);
    tell(began(1));
    session.exited(3);
    expect(notes.ends).toEqual([{ exitCode: 3, directory: null, via: 'exit' }]);
    expect(session.state).toBe('over');
  });

  it('types the lines of a text as they are requested, without a time limit for all of them', () => {
    prompt();
    session.request(1, now);
    for (let line = 0; line < 3; line++) {
      session.tick((now += START_GRACE_MS - 1));
      tell({ verb: 'asks', command: 1, program: '' });
    }
    tell({ verb: 'asks', command: 2, program: '' });
    tell(began(1));
    tell({ verb: 'asks', command: 1, program: '' });
    expect(notes.all).toEqual(['send 1', 'give 1', 'give 1', 'give 1', 'release echo', 'began 1']);
  });

  it('ignores marks of other shells, of other commands, and old ones', () => {
    prompt();
    session.request(7, now);
    tell(began(7));
    tell(ended(7), SHELL + 1);
    tell(ended(6));
    tell({ verb: 'returned', turn: 1, status: 0, directory: '/d' });
    tell({ verb: 'promptStart' });
    tell({ verb: 'promptEnd', history: null });
    tell(LOADED);
    tell(began(7));
    expect(notes.running).toBe(7);
    expect(notes.ends).toEqual([]);
  });

  it('parks typed input, and restores it', () => {
    prompt();
    session.typed(false);
    session.request(1, now);
    expect(notes.all).toEqual(['park']);
    tell({ verb: 'parked', isEmpty: false });
    tell(began(1));
    tell(ended(1));
    prompt();
    expect(notes.all).toEqual(['park', 'send 1', 'release echo', 'began 1', 'ended 0 marker', 'unpark']);
    expect(session.state).toBe('typing');
  });

  it('discards answers of the terminal, unless the user has typed as well', () => {
    prompt();
    session.replyTyped();
    session.request(1, now);
    expect(notes.all).toEqual(['drop']);
    tell({ verb: 'parked', isEmpty: true });
    tell(began(1));
    tell(ended(1));
    prompt();
    session.replyTyped();
    session.typed(false);
    session.request(2, now);
    expect(notes.all.slice(1)).toEqual(['send 1', 'release echo', 'began 1', 'ended 0 marker', 'park']);
  });

  it('makes room without an answer if no key is answered', () => {
    prompt();
    session.typed(false);
    session.request(1, now);
    session.tick((now += PARK_GRACE_MS));
    expect(notes.all).toEqual(['park', 'send 1']);
  });

  it('takes typing again after a prompt that came while it made room without a key', () => {
    notes.hasParkKey = false;
    prompt();
    session.typed(false);
    session.request(1, now);
    expect(session.acceptsInput).toBe(false);
    prompt();
    tell(began(1));
    tell(ended(1));
    prompt();
    expect(session.acceptsInput).toBe(true);
  });

  it('refuses a command if the user was faster', () => {
    prompt();
    session.typed(true);
    session.request(1, now);
    expect(notes.all).toEqual([]);
    tell(began(0));
    expect(notes.all).toEqual(['refused 1 busy', 'typed began']);
    expect(session.isFree).toBe(false);
    tell(returned(1));
    expect(notes.ends).toEqual([{ exitCode: 1, directory: '/d', via: 'prompt' }]);
    expect(session.isFree).toBe(true);
  });

  it('sends a dropped line again, then loads the integration, then gives up', () => {
    prompt();
    session.request(1, now);
    prompt();
    expect(notes.all).toEqual(['send 1', 'release echo', 'send 1']);
    prompt();
    expect(notes.all.slice(3)).toEqual(['release echo', 'heal']);
    tell(LOADED);
    turn = 0;
    prompt();
    expect(notes.all.slice(5)).toEqual(['release echo', 'send 1']);
    prompt();
    expect(notes.all.slice(7)).toEqual(['release output', 'refused 1 lost']);
  });

  it('gives up on a shell whose integration cannot be reloaded', () => {
    prompt();
    session.request(1, now);
    session.tick((now += START_GRACE_MS));
    expect(notes.all).toEqual(['send 1', 'release echo', 'heal']);
    tell({ verb: 'promptEnd', history: null });
    session.tick((now += RELOAD_GRACE_MS));
    expect(notes.all.slice(3)).toEqual(['release output', 'refused 1 lost']);
    expect(session).toMatchObject({ state: 'unknown', isFree: true });
  });

  it('reloads the integration of a shell that reads but sends no marks', () => {
    prompt();
    session.request(1, now);
    tell(began(1));
    session.shellReads(now);
    expect(notes.ends).toEqual([{ exitCode: null, directory: null, via: 'kernel' }]);
    session.request(2, now);
    expect(notes.all.at(-1)).toBe('heal');
    tell(LOADED);
    turn = 0;
    prompt();
    tell(began(2));
    tell(ended(2));
    expect(notes.all.slice(-5)).toEqual(['release echo', 'send 2', 'release echo', 'began 2', 'ended 0 marker']);
  });

  it('continues in another process', () => {
    prompt();
    session.request(1, now);
    tell(began(1));
    session = new ShellSession(session.handOffState, notes);
    tell(ended(1, 5));
    expect(notes.ends).toEqual([{ exitCode: 5, directory: '/d', via: 'marker' }]);
  });

  it('never confuses commands, in any order of events', () => {
    const mark = fc.oneof(
      fc.constantFrom<Told>(LOADED, { verb: 'promptStart' }, { verb: 'promptEnd', history: null }),
      fc.constantFrom<Told>(
        { verb: 'continuation' },
        { verb: 'parked', isEmpty: false },
        { verb: 'parked', isEmpty: true },
      ),
      fc.nat(4).map(began),
      fc.nat(4).map((command): Told => ({ verb: 'asks', command, program: '' })),
      fc.nat(4).map((command) => ended(command)),
      fc.nat(9).map((number): Told => ({ verb: 'returned', turn: number, status: 0, directory: null })),
    );
    const step = fc.oneof(
      mark.map((one) => () => tell(one)),
      fc.constantFrom(
        () => session.typed(true),
        () => session.typed(false),
        () => session.typedInterrupt(),
        () => session.shellReads(now),
        () => session.tick((now += 1000)),
        () => session.isFree && session.request((wanted += 1), now),
        () => session.cancelRequest(wanted),
      ),
    );
    let wanted = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        notes = new Notes();
        session = new ShellSession(newSession(SHELL), notes);
        wanted = 0;
        for (const take of steps) {
          take();
          // Withheld output is always bounded by a deadline; otherwise a subscriber would see nothing for ever.
          expect(notes.isHeld).toBe(['sent', 'retrying', 'healing'].includes(session.state));
          expect(notes.running !== null).toBe(session.state === 'running');
          if (notes.isHeld) expect(session.dueAt).not.toBeNull();
        }
        session.exited(0);
        expect(notes.isHeld).toBe(false);
        expect(notes.running).toBeNull();
        const settled = notes.all.filter((note) => /^(began|refused) /.test(note)).map((note) => note.split(' ')[1]);
        expect(new Set(settled).size).toBe(settled.length);
      }),
      { numRuns: runs({ normal: 500, deep: 2000 }) },
    );
  });
});
