/**
 * State machine of an integrated shell: derives what the shell is doing from its marks, from typed input and from the
 * kernel, and decides when a command may be run. Pure: events go in, effects come out; does not depend on terminals or
 * files, and the time is passed in.
 *
 * Two rules hold throughout: a command is typed only where a line is certainly being read, and an end is believed only
 * for the running command and only from the shell that runs it.
 */
import { endAtPrompt, endOfLine } from './command-end.js';
import type { Mark } from '../marker.js';
import type { SessionData } from './data.js';
import type { CommandEnd, Refusal, SessionEffects } from './effects.js';
import { emptyLine, type PromptLine } from './line.js';
import { HEAL_GRACE_MS, HOOK_GRACE_MS, PARK_GRACE_MS, START_GRACE_MS } from './times.js';
import type { SessionState } from './state.js';

export type { SessionState } from './state.js';

/** A line is sent again once as is, then once more after the integration was reloaded, then never. */
const MAX_TRIES = 3;

/** States in which the injected line and its effects are withheld. */
const SENT: readonly SessionState[] = ['sent', 'retrying', 'healing'];

export class ShellSession {
  readonly #effects: SessionEffects;
  /** Process id of the shell; its marks carry it. */
  readonly #instance: number;
  #state: SessionState = 'starting';
  /** How often the shell has returned to its prompt. Marks replayed from a displayed file have no higher count. */
  #turn = 0;
  /** The requested command: it waits for the prompt, or has been sent. */
  #wanted: number | null = null;
  #running: number | 'typed' | null = null;
  #line: PromptLine = emptyLine();
  /** Whether the integration was loaded since the last request to load it. */
  #isLoaded = false;
  #tries = 0;
  #directory: string | null = null;
  /** The end that the hook reported, until it is believed. */
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

  /** The directory that the shell last reported. */
  get directory(): string | null {
    return this.#directory;
  }

  /** When to call `tick`, on the same clock as the times passed in. Null: not at all. */
  get dueAt(): number | null {
    return this.#dueAt;
  }

  /** Whether a command may be requested: none runs or is pending, and the user is not in the middle of one. */
  get isFree(): boolean {
    return this.#wanted === null && !['running', 'continuation', 'over'].includes(this.#state);
  }

  /** Whether an injected line is being typed, so that no other input may get into it. */
  get isMakingLine(): boolean {
    return this.#state === 'parking' || SENT.includes(this.#state);
  }

  /** Whether typed input is parked, or is going to be. */
  get putsBy(): boolean {
    return this.#line.hasParked || this.#line.parksDue > 0;
  }

  /** The shell reads but does not answer the park keys: the previous program has consumed them. */
  parksTaken(): void {
    this.#line.parksDue = 0;
  }

  /** Whether user input may go to the shell now: it must not get into an injected line or ahead of parked input. */
  get takesTyping(): boolean {
    if (this.isMakingLine || this.#line.parksDue > 0) return false;
    return !(this.#line.hasParked && (this.#state === 'running' || this.#state === 'settling'));
  }

  /** Requests a command, which runs as soon as the shell takes one. Call only if `isFree`. */
  want(command: number, now: number): void {
    this.#wanted = command;
    this.#tries = 0;
    this.#advance(now);
  }

  /** Withdraws the request for a command; returns false if it has been sent already. */
  unwant(command: number): boolean {
    if (this.#wanted !== command || SENT.includes(this.#state)) return false;
    this.#wanted = null;
    if (this.#state === 'parking') this.#become('typing');
    return true;
  }

  /** The user has typed Ctrl-C: an unfinished text is discarded. */
  typedInterrupt(): void {
    if (this.#state === 'continuation') this.#settle();
  }

  /** The user has typed; `submits`: the input contains an Enter. */
  typed(submits: boolean): void {
    this.#line.hasTyped = true;
    this.#line.isUnsure = true;
    // No other program can take it any more: the prompt will find it.
    if (this.#state === 'settling') this.#line.hasSubmitted ||= submits;
    else if (this.#state === 'continuation' && submits) this.#become('submitted');
    else if (this.#state === 'prompt' || this.#state === 'typing') this.#become(submits ? 'submitted' : 'typing');
  }

  /** The terminal has typed an answer to a program's query. */
  littered(): void {
    this.#line.hasLitter = true;
  }

  /** The shell has taken the typed line; for shells that do not report this themselves. */
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

  /** The time `dueAt` has come. */
  tick(now: number): void {
    if (this.#dueAt === null || now < this.#dueAt) return;
    this.#dueAt = null;
    if (this.#state === 'running') this.#end(this.#hookEnd!);
    else if (this.#state === 'parking') this.#sendBlindly(now);
    else if (this.#state === 'sent' || this.#state === 'retrying') this.#lose(now);
    else if (this.#state === 'healing') this.#refuse('lost', 'output');
  }

  /** The kernel shows that the shell itself waits for a line, although it has not reported it. */
  shellReads(now: number): void {
    if (this.#state === 'running' && this.#hookEnd === null) {
      this.#end({ exitCode: null, directory: null, via: 'kernel' });
      this.#become('unknown');
    } else if (this.#state === 'starting' || this.#state === 'settling') this.#become('unknown');
    else if (this.#state === 'sent' || this.#state === 'retrying') this.#lose(now);
    this.#advance(now);
  }

  /**
   * The shell's marks can no longer be received: the line that was sent may have run. Returns false if none was sent.
   */
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
    // If none is expected, it is an old mark that is displayed again.
    if (this.#state !== 'starting' && this.#state !== 'unknown' && this.#state !== 'healing') return;
    this.#turn = 0;
    this.#isLoaded = true;
  }

  #onPromptStart(): void {
    if (this.#state !== 'running') return;
    // A displayed text may contain the prompt's mark: on its own it says nothing about our command.
    if (this.#hookEnd !== null) this.#end(this.#hookEnd);
    else if (this.#running === 'typed') this.#end({ exitCode: null, directory: null, via: 'prompt' });
  }

  #onPrompt(now: number): void {
    if (this.#state === 'running') return;
    // The prompt that was there before: the typed load line is still to be read.
    if (this.#state === 'healing' && !this.#isLoaded) return;
    if (this.#state === 'healing' || this.#state === 'retrying') this.#effects.release('echo');
    // Shells redraw their prompt at will: that is not a new prompt.
    else if (['prompt', 'typing', 'parking', 'sent'].includes(this.#state)) return;
    this.#become(this.#line.hasSubmitted ? 'submitted' : this.#line.hasTyped ? 'typing' : 'prompt');
    this.#line.hasSubmitted = false;
    if (this.#line.hasParked) this.#unpark();
    if (this.takesTyping) this.#effects.typeKept();
    this.#advance(now);
  }

  #unpark(): void {
    // The next request parks it again.
    this.#line.hasParked = false;
    this.#line.hasTyped = true;
    this.#become('typing');
    this.#effects.unpark();
  }

  #onContinuation(): void {
    if (this.#running === 'typed') this.#withdraw();
    // If our text asks for more input, the command has not ended, whatever the hook reports.
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

  /** Only the answer to the last key proves that everything before it was read. */
  #onParked(isEmpty: boolean, now: number): void {
    this.#line.parksDue = Math.max(0, this.#line.parksDue - 1);
    if (this.#line.parksDue > 0) return;
    this.#line.hasParked = !isEmpty;
    this.#line.isUnsure = false;
    if (this.#state === 'parking') this.#send(now);
    // The command that it made room for was refused meanwhile.
    else if (this.#state === 'prompt' || this.#state === 'typing') this.#goBack();
  }

  /** Restores parked input at the prompt. */
  #goBack(): void {
    if (this.#line.hasParked) this.#unpark();
    this.#effects.typeKept();
  }

  /** The key was not answered: the shell has no such key, or the typed input runs. */
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

  /** Shells report our own lines this way too. */
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

  /** The shell is about to show a new prompt: the contents of its line are gone. */
  #settle(): void {
    this.#line.hasTyped = false;
    this.#become('settling');
  }

  /**
   * The shell has returned to its prompt without reporting the sent line, perhaps from input that was typed before it.
   */
  #onDropped(now: number): void {
    if (this.#line.isUnsure && !this.#effects.hasParkKey) this.#become('sent', now + START_GRACE_MS);
    else this.#retry(now);
  }

  #retry(now: number): void {
    if (this.#tries === 1) this.#become('retrying', now + HEAL_GRACE_MS);
    else this.#lose(now);
  }

  /**
   * The sent line was not understood: the integration is missing in the shell, or in the program that has replaced it.
   */
  #lose(now: number): void {
    if (this.#tries >= MAX_TRIES) return this.#refuse('lost', 'output');
    // The withheld output is the echo of a line that had no effect.
    this.#effects.release('echo');
    this.#heal(now);
  }

  #heal(now: number): void {
    this.#tries = Math.max(this.#tries, 1);
    this.#isLoaded = false;
    this.#become('healing', now + HEAL_GRACE_MS);
    this.#effects.heal();
  }

  /** Advances the requested command as far as the state allows. */
  #advance(now: number): void {
    if (this.#wanted === null) return;
    const isClean =
      this.#state === 'prompt' && !(this.#line.isUnsure && this.#effects.hasParkKey) && !this.#line.hasLitter;
    if (isClean) this.#send(now);
    else if (this.#state === 'prompt' || this.#state === 'typing') this.#makeRoom(now);
    else if (this.#state === 'unknown') this.#heal(now);
  }

  /** Input that the user did not type is discarded, not parked. */
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
