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
import { HEAL_GRACE_MS, HOOK_GRACE_MS, PARK_GRACE_MS, START_GRACE_MS } from './times.js';
import type { SessionState } from './state.js';

export type { SessionState } from './state.js';

/** A line is sent again once as is, then once more after the integration was reloaded, then never. */
const MAX_TRIES = 3;

/** States in which the injected line and its effects are withheld. */
const SENT: readonly SessionState[] = ['sent', 'retrying', 'healing'];

export class ShellSession {
  readonly #effects: SessionEffects;
  readonly #at: SessionData;

  constructor(state: SessionData, effects: SessionEffects) {
    this.#at = structuredClone(state);
    this.#effects = effects;
  }

  /** All the state that another process needs. */
  get handed(): SessionData {
    return structuredClone(this.#at);
  }

  get state(): SessionState {
    return this.#at.state;
  }

  /** The directory that the shell last reported. */
  get directory(): string | null {
    return this.#at.directory;
  }

  /** When to call `tick`, on the same clock as the times passed in. Null: not at all. */
  get dueAt(): number | null {
    return this.#at.dueAt;
  }

  /** Whether a command may be requested: none runs or is pending, and the user is not in the middle of one. */
  get isFree(): boolean {
    return this.#at.wanted === null && !['running', 'continuation', 'over'].includes(this.#at.state);
  }

  /** Whether an injected line is being typed, so that no other input may get into it. */
  get isMakingLine(): boolean {
    return this.#at.state === 'parking' || SENT.includes(this.#at.state);
  }

  /** Whether typed input is parked, or is going to be. */
  get putsBy(): boolean {
    return this.#at.line.hasParked || this.#at.line.parksDue > 0;
  }

  /** The shell reads but does not answer the park keys: the previous program has consumed them. */
  parksTaken(): void {
    this.#at.line.parksDue = 0;
  }

  /** Whether user input may go to the shell now: it must not get into an injected line or ahead of parked input. */
  get takesTyping(): boolean {
    if (this.isMakingLine || this.#at.line.parksDue > 0) return false;
    return !(this.#at.line.hasParked && (this.#at.state === 'running' || this.#at.state === 'settling'));
  }

  /** Requests a command, which runs as soon as the shell takes one. Call only if `isFree`. */
  want(command: number, now: number): void {
    this.#at.wanted = command;
    this.#at.tries = 0;
    this.#advance(now);
  }

  /** Withdraws the request for a command; returns false if it has been sent already. */
  unwant(command: number): boolean {
    if (this.#at.wanted !== command || SENT.includes(this.#at.state)) return false;
    this.#at.wanted = null;
    if (this.#at.state === 'parking') this.#become('typing');
    return true;
  }

  /** The user has typed Ctrl-C: an unfinished text is discarded. */
  typedInterrupt(): void {
    if (this.#at.state === 'continuation') this.#settle();
  }

  /** The user has typed; `submits`: the input contains an Enter. */
  typed(submits: boolean): void {
    this.#at.line.hasTyped = true;
    this.#at.line.isUnsure = true;
    // No other program can take it any more: the prompt will find it.
    if (this.#at.state === 'settling') this.#at.line.hasSubmitted ||= submits;
    else if (this.#at.state === 'continuation' && submits) this.#become('submitted');
    else if (this.#at.state === 'prompt' || this.#at.state === 'typing') this.#become(submits ? 'submitted' : 'typing');
  }

  /** The terminal has typed an answer to a program's query. */
  littered(): void {
    this.#at.line.hasLitter = true;
  }

  /** The shell has taken the typed line; for shells that do not report this themselves. */
  lineTaken(): void {
    if (this.#at.state === 'submitted') this.#onTypedBegan();
  }

  take(mark: Mark, now: number): void {
    if (mark.instance !== this.#at.instance || this.#at.state === 'over') return;
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
    if (this.#at.dueAt === null || now < this.#at.dueAt) return;
    this.#at.dueAt = null;
    if (this.#at.state === 'running') this.#end(this.#at.hookEnd!);
    else if (this.#at.state === 'parking') this.#sendBlindly(now);
    else if (this.#at.state === 'sent' || this.#at.state === 'retrying') this.#lose(now);
    else if (this.#at.state === 'healing') this.#refuse('lost', 'output');
  }

  /** The kernel shows that the shell itself waits for a line, although it has not reported it. */
  shellReads(now: number): void {
    if (this.#at.state === 'running' && this.#at.hookEnd === null) {
      this.#end({ exitCode: null, directory: null, via: 'kernel' });
      this.#become('unknown');
    } else if (this.#at.state === 'starting' || this.#at.state === 'settling') this.#become('unknown');
    else if (this.#at.state === 'sent' || this.#at.state === 'retrying') this.#lose(now);
    // A question of its prompt hook has taken the Enter: such a shell would have reported a line.
    else if (this.#at.state === 'submitted' && this.#effects.hasParkKey) this.#become('typing');
    this.#advance(now);
  }

  /**
   * The shell's marks can no longer be received: the line that was sent may have run. Returns false if none was sent.
   */
  mayHaveBegun(): boolean {
    if (this.#at.state !== 'sent') return false;
    this.#onBegan(this.#at.wanted!);
    return true;
  }

  /** The shell has ended. */
  exited(exitCode: number | null): void {
    if (this.#at.state === 'over') return;
    if (this.#at.running !== null) this.#end({ exitCode, directory: null, via: 'exit' });
    if (this.#at.wanted !== null) this.#refuse('over', 'output');
    this.#become('over');
  }

  #onLoaded(): void {
    // If none is expected, it is an old mark that is displayed again.
    if (this.#at.state !== 'starting' && this.#at.state !== 'unknown' && this.#at.state !== 'healing') return;
    this.#at.turn = 0;
    this.#at.isLoaded = true;
  }

  #onPromptStart(): void {
    if (this.#at.state !== 'running') return;
    // A displayed text may contain the prompt's mark: on its own, the mark says nothing about our command.
    if (this.#at.hookEnd !== null) this.#end(this.#at.hookEnd);
    else if (this.#at.running === 'typed') this.#end({ exitCode: null, directory: null, via: 'prompt' });
  }

  #onPrompt(now: number): void {
    if (this.#at.state === 'running') return;
    // The prompt that was there before: the typed load line is still to be read.
    if (this.#at.state === 'healing' && !this.#at.isLoaded) return;
    if (this.#at.state === 'healing' || this.#at.state === 'retrying') this.#effects.release('echo');
    // Shells redraw their prompt at will: that is not a new prompt.
    else if (['prompt', 'typing', 'parking', 'sent'].includes(this.#at.state)) return;
    this.#become(this.#at.line.hasSubmitted ? 'submitted' : this.#at.line.hasTyped ? 'typing' : 'prompt');
    this.#at.line.hasSubmitted = false;
    if (this.#at.line.hasParked) this.#unpark();
    if (this.takesTyping) this.#effects.typeKept();
    this.#advance(now);
  }

  #unpark(): void {
    // The next request parks it again.
    this.#at.line.hasParked = false;
    this.#at.line.hasTyped = true;
    this.#become('typing');
    this.#effects.unpark();
  }

  #onContinuation(): void {
    if (this.#at.running === 'typed') this.#withdraw();
    // If our text asks for more input, the command has not ended, whatever the hook reports.
    else if (this.#at.hookEnd !== null) {
      this.#at.hookEnd = null;
      return this.#become('running');
    } else if (!['prompt', 'typing', 'submitted'].includes(this.#at.state)) return;
    this.#become('continuation');
    if (this.#at.wanted !== null) this.#refuse('busy');
  }

  /** What was taken for a command was only its first line. */
  #withdraw(): void {
    this.#at.running = null;
    this.#effects.withdrawn();
  }

  /** Only the answer to the last key proves that everything before it was read. */
  #onParked(isEmpty: boolean, now: number): void {
    this.#at.line.parksDue = Math.max(0, this.#at.line.parksDue - 1);
    if (this.#at.line.parksDue > 0) return;
    this.#at.line.hasParked = !isEmpty;
    this.#at.line.isUnsure = false;
    if (this.#at.state === 'parking') this.#send(now);
    // The command that it made room for was refused meanwhile.
    else if (this.#at.state === 'prompt' || this.#at.state === 'typing') this.#goBack();
  }

  /** Restores parked input at the prompt. */
  #goBack(): void {
    if (this.#at.line.hasParked) this.#unpark();
    this.#effects.typeKept();
  }

  /** The key was not answered: the shell has no such key, or the typed input runs. */
  #sendBlindly(now: number): void {
    this.#at.line.parksDue = 0;
    this.#at.line.hasParked = true;
    this.#send(now);
  }

  #onAsks(command: number, now: number): void {
    if (this.#at.state !== 'sent' || command !== this.#at.wanted) return;
    this.#at.dueAt = now + START_GRACE_MS;
    this.#effects.give(command);
  }

  #onBegan(command: number): void {
    if (command === 0) return this.#onTypedBegan();
    if (this.#at.state !== 'sent' || command !== this.#at.wanted) return;
    this.#at.wanted = null;
    this.#at.line.isUnsure = false;
    this.#at.running = command;
    this.#become('running');
    this.#effects.release('echo');
    this.#effects.began(command);
  }

  /** Shells report our own lines this way too. */
  #onTypedBegan(): void {
    if (['sent', 'retrying', 'healing', 'running', 'unknown'].includes(this.#at.state)) return;
    this.#at.running = 'typed';
    this.#at.line.hasTyped = false;
    this.#become('running');
    if (this.#at.wanted !== null) this.#refuse('busy');
    this.#effects.typedBegan();
  }

  #onEnded(mark: Mark & { verb: 'ended' }): void {
    this.#at.directory = mark.directory ?? this.#at.directory;
    if (this.#at.running === mark.command) this.#end(endOfLine(mark));
  }

  #onReturned(mark: Mark & { verb: 'returned' }, now: number): void {
    if (mark.turn <= this.#at.turn) return;
    this.#at.turn = mark.turn;
    this.#at.directory = mark.directory;
    const end = endAtPrompt(mark, this.#at.running);
    if (this.#at.running === 'typed') this.#end(end);
    else if (this.#at.state === 'running') {
      this.#at.hookEnd = end;
      this.#at.dueAt = now + HOOK_GRACE_MS;
    } else if (this.#at.state === 'sent') this.#onDropped(now);
    else if (this.#at.state === 'parking') this.#settle();
    else if (['prompt', 'typing', 'submitted', 'continuation', 'unknown'].includes(this.#at.state)) this.#settle();
  }

  /** The shell is about to show a new prompt: the contents of its line are gone. */
  #settle(): void {
    this.#at.line.hasTyped = false;
    this.#become('settling');
  }

  /**
   * The shell has returned to its prompt without reporting the sent line, perhaps from input that was typed before it.
   */
  #onDropped(now: number): void {
    if (this.#at.line.isUnsure && !this.#effects.hasParkKey) this.#become('sent', now + START_GRACE_MS);
    else this.#retry(now);
  }

  #retry(now: number): void {
    if (this.#at.tries === 1) this.#become('retrying', now + HEAL_GRACE_MS);
    else this.#lose(now);
  }

  /**
   * The sent line was not understood: the integration is missing in the shell, or in the program that has replaced it.
   */
  #lose(now: number): void {
    if (this.#at.tries >= MAX_TRIES) return this.#refuse('lost', 'output');
    // The withheld output is the echo of a line that had no effect.
    this.#effects.release('echo');
    this.#heal(now);
  }

  #heal(now: number): void {
    this.#at.tries = Math.max(this.#at.tries, 1);
    this.#at.isLoaded = false;
    this.#become('healing', now + HEAL_GRACE_MS);
    this.#effects.heal();
  }

  /** Advances the requested command as far as the state allows. */
  #advance(now: number): void {
    if (this.#at.wanted === null) return;
    const isClean =
      this.#at.state === 'prompt' && !(this.#at.line.isUnsure && this.#effects.hasParkKey) && !this.#at.line.hasLitter;
    if (isClean) this.#send(now);
    else if (this.#at.state === 'prompt' || this.#at.state === 'typing') this.#makeRoom(now);
    else if (this.#at.state === 'unknown') this.#heal(now);
  }

  /** Input that the user did not type is discarded, not parked. */
  #makeRoom(now: number): void {
    const isLitter = this.#at.line.hasLitter && !this.#at.line.isUnsure && this.#at.state === 'prompt';
    this.#at.line.hasLitter = false;
    this.#effects.park(isLitter);
    if (isLitter && !this.#effects.hasParkKey) return this.#send(now);
    this.#become('parking', now + PARK_GRACE_MS);
    // A shell without the key answers nothing.
    if (this.#effects.hasParkKey) this.#at.line.parksDue++;
  }

  #send(now: number): void {
    if (!this.#effects.isInPlace) return this.#refuseMoved();
    this.#at.line.hasTyped = false;
    this.#at.tries++;
    this.#become('sent', now + START_GRACE_MS);
    this.#effects.send(this.#at.wanted!);
  }

  #end(end: CommandEnd): void {
    this.#at.running = null;
    this.#at.hookEnd = null;
    this.#at.directory = end.directory ?? this.#at.directory;
    this.#become('settling');
    this.#effects.ended(end);
  }

  #refuseMoved(): void {
    this.#become('prompt');
    this.#refuse('moved');
    this.#goBack();
  }

  #refuse(why: Refusal, heldBack?: 'output'): void {
    const command = this.#at.wanted!;
    const wasHeld = SENT.includes(this.#at.state);
    this.#at.wanted = null;
    if (why === 'lost') this.#become('unknown');
    if (wasHeld && heldBack !== undefined) this.#effects.release(heldBack);
    this.#effects.refused(command, why);
  }

  #become(state: SessionState, dueAt: number | null = null): void {
    this.#at.state = state;
    this.#at.dueAt = dueAt;
  }
}
