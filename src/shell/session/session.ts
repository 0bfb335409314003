/**
 * What an integrated shell is doing, by what its marks, its typist and the kernel say, and when a command may be run in
 * it. Pure: events go in, effects come out; it knows neither terminals nor files, and of time only what it is told.
 *
 * Two rules hold everything together: a command is typed only where a line is surely being read, and its end is
 * believed only for the command that runs, from the shell that runs it.
 */
import { endAtPrompt, endOfLine } from './command-end.js';
import type { Mark } from '../marker.js';
import type { SessionData } from './data.js';
import type { CommandEnd, Refusal, SessionEffects } from './effects.js';
import { emptyLine, type PromptLine } from './line.js';
import { HEAL_GRACE_MS, HOOK_GRACE_MS, PARK_GRACE_MS, START_GRACE_MS } from './times.js';
import type { SessionState } from './state.js';

export type { SessionState } from './state.js';

/** A line is sent again once without more, then after the integration was loaded again; then never. */
const MAX_TRIES = 3;

/** While our line, or what comes of it, is held back. */
const SENT: readonly SessionState[] = ['sent', 'retrying', 'healing'];

export class ShellSession {
  readonly #effects: SessionEffects;
  /** Process id of the shell, which is what its marks carry. */
  readonly #instance: number;
  #state: SessionState = 'starting';
  /** How often the shell has come back to its prompt: what is shown again from a file counts no higher. */
  #turn = 0;
  /** The command that is to be run: it waits for the prompt, or has been sent. */
  #wanted: number | null = null;
  #running: number | 'typed' | null = null;
  #line: PromptLine = emptyLine();
  /** Whether the integration was loaded since that was last asked for. */
  #isLoaded = false;
  #tries = 0;
  #directory: string | null = null;
  /** What the hook said, until it is believed. */
  #hookEnd: CommandEnd | null = null;
  #dueAt: number | null = null;

  constructor(instance: number, effects: SessionEffects, data?: SessionData) {
    this.#instance = instance;
    this.#effects = effects;
    if (data === undefined) return;
    this.#state = data.state;
    this.#turn = data.turn;
    this.#wanted = data.wanted;
    this.#running = data.running;
    this.#line = { ...data.line };
    this.#isLoaded = data.isLoaded;
    this.#tries = data.tries;
    this.#directory = data.directory;
    this.#hookEnd = data.hookEnd;
    this.#dueAt = data.dueAt;
  }

  get data(): SessionData {
    return {
      ...{ instance: this.#instance, state: this.#state, turn: this.#turn, wanted: this.#wanted },
      ...{ running: this.#running, line: { ...this.#line }, isLoaded: this.#isLoaded, tries: this.#tries },
      ...{ directory: this.#directory, hookEnd: this.#hookEnd, dueAt: this.#dueAt },
    };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Directory of the shell as it last said. */
  get directory(): string | null {
    return this.#directory;
  }

  /** When `tick` is to be called: as the times given here. Null: not at all. */
  get dueAt(): number | null {
    return this.#dueAt;
  }

  /** Whether a command may be asked for: none runs or waits already, and nobody is in the middle of one. */
  get isFree(): boolean {
    return this.#wanted === null && !['running', 'continuation', 'over'].includes(this.#state);
  }

  /** Whether a line of ours is in the making, and nothing may get into it. */
  get isMakingLine(): boolean {
    return this.#state === 'parking' || SENT.includes(this.#state);
  }

  /** Whether something that was typed at the prompt is put by, or is going to be. */
  get putsBy(): boolean {
    return this.#line.hasParked || this.#line.parksDue > 0;
  }

  /** The shell reads, and does not answer the keys to put by: what ran before has taken them. */
  parksTaken(): void {
    this.#line.parksDue = 0;
  }

  /** Whether what somebody types may go to the shell now: not into a line of ours, nor before what was put by. */
  get takesTyping(): boolean {
    if (this.isMakingLine || this.#line.parksDue > 0) return false;
    return !(this.#line.hasParked && (this.#state === 'running' || this.#state === 'settling'));
  }

  /** Asks for a command to be run as soon as the shell takes one. To be called where `isFree`. */
  want(command: number, now: number): void {
    this.#wanted = command;
    this.#tries = 0;
    this.#advance(now);
  }

  /** Asks no more for a command; false if it has been sent already. */
  unwant(command: number): boolean {
    if (this.#wanted !== command || SENT.includes(this.#state)) return false;
    this.#wanted = null;
    if (this.#state === 'parking') this.#become('typing');
    return true;
  }

  /** Somebody has typed Ctrl-C: what was begun is thrown away. */
  typedInterrupt(): void {
    if (this.#state === 'continuation') this.#settle();
  }

  /** Somebody has typed; `submits`: an Enter was among it. */
  typed(submits: boolean): void {
    this.#line.hasTyped = true;
    this.#line.isUnsure = true;
    // Nothing else can take it any more: the prompt will find it.
    if (this.#state === 'settling') this.#line.hasSubmitted ||= submits;
    else if (this.#state === 'continuation' && submits) this.#become('submitted');
    else if (this.#state === 'prompt' || this.#state === 'typing') this.#become(submits ? 'submitted' : 'typing');
  }

  /** The terminal has typed an answer for whatever asks it. */
  littered(): void {
    this.#line.hasLitter = true;
  }

  /** The shell has taken the line that was typed; for shells that do not say so themselves. */
  lineTaken(): void {
    if (this.#state === 'submitted') this.#onTypedBegan();
  }

  take(mark: Mark, now: number): void {
    if (mark.instance !== this.#instance || this.#state === 'over') return;
    if (mark.verb === 'loaded') this.#onLoaded();
    else if (mark.verb === 'promptStart') this.#onPromptStart();
    else if (mark.verb === 'promptEnd') this.#onPrompt(now);
    else if (mark.verb === 'continuation') this.#onContinuation();
    else if (mark.verb === 'parked') this.#onParked(mark.isEmpty, now);
    else if (mark.verb === 'asks') this.#onAsks(mark.command, now);
    else if (mark.verb === 'began') this.#onBegan(mark.command);
    else if (mark.verb === 'ended') this.#onEnded(mark);
    else if (mark.verb === 'returned') this.#onReturned(mark, now);
  }

  /** Time has come to `dueAt`. */
  tick(now: number): void {
    if (this.#dueAt === null || now < this.#dueAt) return;
    this.#dueAt = null;
    if (this.#state === 'running') this.#end(this.#hookEnd!);
    else if (this.#state === 'parking') this.#sendBlindly(now);
    else if (this.#state === 'sent' || this.#state === 'retrying') this.#lose(now);
    else if (this.#state === 'healing') this.#refuse('lost', 'output');
  }

  /** The kernel says that the shell itself waits for a line, though it has not said so. */
  shellReads(now: number): void {
    if (this.#state === 'running' && this.#hookEnd === null) {
      this.#end({ exitCode: null, directory: null, via: 'kernel' });
      this.#become('unknown');
    } else if (this.#state === 'starting' || this.#state === 'settling') this.#become('unknown');
    else if (this.#state === 'sent' || this.#state === 'retrying') this.#lose(now);
    this.#advance(now);
  }

  /** Nobody hears the shell any more: the line that was sent may have been run. False if none was. */
  mayHaveBegun(): boolean {
    if (this.#state !== 'sent') return false;
    this.#onBegan(this.#wanted!);
    return true;
  }

  /** The shell has ended. */
  exited(exitCode: number | null): void {
    if (this.#state === 'over') return;
    if (this.#running !== null) this.#end({ exitCode, directory: null, via: 'exit' });
    if (this.#wanted !== null) this.#refuse('over', 'output');
    this.#become('over');
  }

  #onLoaded(): void {
    // While nothing of the kind is expected, it is something old that is shown again.
    if (this.#state !== 'starting' && this.#state !== 'unknown' && this.#state !== 'healing') return;
    this.#turn = 0;
    this.#isLoaded = true;
  }

  #onPromptStart(): void {
    if (this.#state !== 'running') return;
    // Something may have shown the prompt's text: alone that says nothing of a command of ours.
    if (this.#hookEnd !== null) this.#end(this.#hookEnd);
    else if (this.#running === 'typed') this.#end({ exitCode: null, directory: null, via: 'prompt' });
  }

  #onPrompt(now: number): void {
    if (this.#state === 'running') return;
    // The prompt that was there before: what was typed to load things comes yet.
    if (this.#state === 'healing' && !this.#isLoaded) return;
    if (this.#state === 'healing' || this.#state === 'retrying') this.#effects.release('echo');
    // Shells show their prompt again as they like: that is no new one.
    else if (['prompt', 'typing', 'parking', 'sent'].includes(this.#state)) return;
    this.#become(this.#line.hasSubmitted ? 'submitted' : this.#line.hasTyped ? 'typing' : 'prompt');
    this.#line.hasSubmitted = false;
    if (this.#line.hasParked) this.#unpark();
    if (this.takesTyping) this.#effects.typeKept();
    this.#advance(now);
  }

  #unpark(): void {
    // Whoever asks next puts it by again.
    this.#line.hasParked = false;
    this.#line.hasTyped = true;
    this.#become('typing');
    this.#effects.unpark();
  }

  #onContinuation(): void {
    if (this.#running === 'typed') this.#withdraw();
    // A text of ours that asks for more is none that has ended, whatever the hook says.
    else if (this.#hookEnd !== null) {
      this.#hookEnd = null;
      return this.#become('running');
    } else if (!['prompt', 'typing', 'submitted'].includes(this.#state)) return;
    this.#become('continuation');
    if (this.#wanted !== null) this.#refuse('busy');
  }

  /** What was taken for a command was only its first line. */
  #withdraw(): void {
    this.#running = null;
    this.#effects.withdrawn();
  }

  /** Only the answer to the last key tells that all before it was read. */
  #onParked(isEmpty: boolean, now: number): void {
    this.#line.parksDue = Math.max(0, this.#line.parksDue - 1);
    if (this.#line.parksDue > 0) return;
    this.#line.hasParked = !isEmpty;
    this.#line.isUnsure = false;
    if (this.#state === 'parking') this.#send(now);
    // The command that it made room for was refused meanwhile.
    else if (this.#state === 'prompt' || this.#state === 'typing') this.#goBack();
  }

  /** What was put by stands at the prompt again. */
  #goBack(): void {
    if (this.#line.hasParked) this.#unpark();
    this.#effects.typeKept();
  }

  /** The key was not answered: there is none, or what was typed runs. */
  #sendBlindly(now: number): void {
    this.#line.parksDue = 0;
    this.#line.hasParked = true;
    this.#send(now);
  }

  #onAsks(command: number, now: number): void {
    if (this.#state !== 'sent' || command !== this.#wanted) return;
    this.#dueAt = now + START_GRACE_MS;
    this.#effects.give(command);
  }

  #onBegan(command: number): void {
    if (command === 0) return this.#onTypedBegan();
    if (this.#state !== 'sent' || command !== this.#wanted) return;
    this.#wanted = null;
    this.#line.isUnsure = false;
    this.#running = command;
    this.#become('running');
    this.#effects.release('echo');
    this.#effects.began(command);
  }

  /** Shells say so of our own lines too. */
  #onTypedBegan(): void {
    if (['sent', 'retrying', 'healing', 'running', 'unknown'].includes(this.#state)) return;
    this.#running = 'typed';
    this.#line.hasTyped = false;
    this.#become('running');
    if (this.#wanted !== null) this.#refuse('busy');
    this.#effects.typedBegan();
  }

  #onEnded(mark: Mark & { verb: 'ended' }): void {
    this.#directory = mark.directory ?? this.#directory;
    if (this.#running === mark.command) this.#end(endOfLine(mark));
  }

  #onReturned(mark: Mark & { verb: 'returned' }, now: number): void {
    if (mark.turn <= this.#turn) return;
    this.#turn = mark.turn;
    this.#directory = mark.directory;
    const end = endAtPrompt(mark, this.#running);
    if (this.#running === 'typed') this.#end(end);
    else if (this.#state === 'running') {
      this.#hookEnd = end;
      this.#dueAt = now + HOOK_GRACE_MS;
    } else if (this.#state === 'sent') this.#onDropped(now);
    else if (this.#state === 'parking') this.#settle();
    else if (['prompt', 'typing', 'submitted', 'continuation', 'unknown'].includes(this.#state)) this.#settle();
  }

  /** The shell is about to show its prompt anew: what stood in its line is gone. */
  #settle(): void {
    this.#line.hasTyped = false;
    this.#become('settling');
  }

  /** The shell has come back without a word of what was sent; perhaps from something that was typed before that. */
  #onDropped(now: number): void {
    if (this.#line.isUnsure && !this.#effects.hasParkKey) this.#become('sent', now + START_GRACE_MS);
    else this.#retry(now);
  }

  #retry(now: number): void {
    if (this.#tries === 1) this.#become('retrying', now + HEAL_GRACE_MS);
    else this.#lose(now);
  }

  /** What was sent was not understood: the integration is gone from the shell, or from what has taken its place. */
  #lose(now: number): void {
    if (this.#tries >= MAX_TRIES) return this.#refuse('lost', 'output');
    // What is held back was the echo of a line that did nothing.
    this.#effects.release('echo');
    this.#heal(now);
  }

  #heal(now: number): void {
    this.#tries = Math.max(this.#tries, 1);
    this.#isLoaded = false;
    this.#become('healing', now + HEAL_GRACE_MS);
    this.#effects.heal();
  }

  /** Goes as far with what is wanted as the state allows. */
  #advance(now: number): void {
    if (this.#wanted === null) return;
    const isClean =
      this.#state === 'prompt' && !(this.#line.isUnsure && this.#effects.hasParkKey) && !this.#line.hasLitter;
    if (isClean) this.#send(now);
    else if (this.#state === 'prompt' || this.#state === 'typing') this.#makeRoom(now);
    else if (this.#state === 'unknown') this.#heal(now);
  }

  /** What nobody has typed is not put by, but thrown away. */
  #makeRoom(now: number): void {
    const isLitter = this.#line.hasLitter && !this.#line.isUnsure && this.#state === 'prompt';
    this.#line.hasLitter = false;
    this.#effects.park(isLitter);
    if (isLitter && !this.#effects.hasParkKey) return this.#send(now);
    this.#become('parking', now + PARK_GRACE_MS);
    this.#line.parksDue++;
  }

  #send(now: number): void {
    if (!this.#effects.isInPlace) return this.#refuseMoved();
    this.#line.hasTyped = false;
    this.#tries++;
    this.#become('sent', now + START_GRACE_MS);
    this.#effects.send(this.#wanted!);
  }

  #end(end: CommandEnd): void {
    this.#running = null;
    this.#hookEnd = null;
    this.#directory = end.directory ?? this.#directory;
    this.#become('settling');
    this.#effects.ended(end);
  }

  #refuseMoved(): void {
    this.#become('prompt');
    this.#refuse('moved');
    this.#goBack();
  }

  #refuse(why: Refusal, heldBack?: 'output'): void {
    const command = this.#wanted!;
    const wasHeld = SENT.includes(this.#state);
    this.#wanted = null;
    if (why === 'lost') this.#become('unknown');
    if (wasHeld && heldBack !== undefined) this.#effects.release(heldBack);
    this.#effects.refused(command, why);
  }

  #become(state: SessionState, dueAt: number | null = null): void {
    this.#state = state;
    this.#dueAt = dueAt;
  }
}
