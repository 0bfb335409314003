/**
 * Implements the state machine of an integrated shell: derives what the shell is doing from its marks, from typed input
 * and from the kernel, and decides when a command may be run. Pure: events go in, effects come out; does not depend on
 * terminals or files, and the time is passed in.
 *
 * Two rules always apply: a command is typed only where a line is certainly being read, and an end is accepted only for
 * the running command and only from the shell that runs it. A command can call the prompt's hooks and print the prompt
 * itself, so where the kernel can tell, such a report ends a command only once the shell is seen reading at its prompt.
 */
import { endAtPrompt, endOfLine, laterEnd } from './command-end.js';
import type { Mark } from '../marker.js';
import type { SessionData } from './data.js';
import type { CommandEnd, CommandRefusal, SessionEffects } from './effects.js';
import { lookIntervalMs, MAX_TRIES } from './limits.js';
import { RELOAD_GRACE_MS, HOOK_GRACE_MS, PARK_GRACE_MS, START_GRACE_MS } from './limits.js';
import { isKnownEmpty } from './line.js';
import { WITHHOLDING, type SessionState } from './state.js';

export type { SessionState } from './state.js';

export class ShellSession {
  readonly #effects: SessionEffects;
  readonly #data: SessionData;

  constructor(state: SessionData, effects: SessionEffects) {
    this.#data = structuredClone(state);
    this.#effects = effects;
  }

  /** All the state that another process needs. */
  get handOffState(): SessionData {
    return structuredClone(this.#data);
  }

  get state(): SessionState {
    return this.#data.state;
  }

  /** The directory that the shell last reported. */
  get directory(): string | null {
    return this.#data.directory;
  }

  /** When to call `tick`, on the same clock as the times passed in; null if not at all. */
  get dueAt(): number | null {
    return this.#data.dueAt;
  }

  /** Whether a command may be requested: none is running or pending, and the user is not in the middle of one. */
  get isFree(): boolean {
    return this.#data.wanted === null && !['running', 'continuation', 'over'].includes(this.#data.state);
  }

  /** Whether an injected line is being typed, so that no other input may get into it. */
  get isInjecting(): boolean {
    return this.#data.state === 'parking' || WITHHOLDING.includes(this.#data.state);
  }

  /** Whether typed input is parked or being parked. */
  get hasParkedInput(): boolean {
    return this.#data.line.hasParked || this.#data.line.parksDue > 0;
  }

  /** Call when the shell is reading but does not reply to the park keys, because the previous program consumed them. */
  parkKeysLost(): void {
    this.#data.line.parksDue = 0;
  }

  /** Whether user input may go to the shell now: it must not get into an injected line or ahead of parked input. */
  get acceptsInput(): boolean {
    if (this.isInjecting || this.#data.line.parksDue > 0) return false;
    return !(this.#data.line.hasParked && (this.#data.state === 'running' || this.#data.state === 'settling'));
  }

  /** Requests a command, which runs as soon as the shell can take it. Call only if `isFree`. */
  request(command: number, now: number): void {
    this.#data.wanted = command;
    this.#data.tries = 0;
    this.#advance(now);
  }

  /** Withdraws the request for a command; returns false if it has been sent already. */
  cancelRequest(command: number): boolean {
    if (this.#data.wanted !== command || WITHHOLDING.includes(this.#data.state)) return false;
    this.#data.wanted = null;
    if (this.#data.state === 'parking') this.#setState('typing');
    return true;
  }

  /** Call when the user has typed Ctrl-C, which discards unfinished input. */
  typedInterrupt(): void {
    if (this.#data.state === 'continuation') this.#settle();
  }

  /** Call when the user has typed; `submits`: the input contains an Enter. */
  typed(submits: boolean): void {
    this.#data.line.hasTyped = true;
    this.#data.line.isUnsure = true;
    // No other program can read it now, so the shell will read it at its prompt.
    if (this.#data.state === 'settling') this.#data.line.hasSubmitted ||= submits;
    else if (this.#data.state === 'running') this.#data.hasEntered ||= submits;
    else if (this.#data.state === 'continuation' && submits) this.#setState('submitted');
    else if (this.#data.state === 'prompt' || this.#data.state === 'typing')
      this.#setState(submits ? 'submitted' : 'typing');
  }

  /** Call when the terminal has typed a reply to a program's query. */
  replyTyped(): void {
    this.#data.line.hasLitter = true;
  }

  /** Call when the shell has taken the typed line, for shells that do not report this themselves. */
  lineTaken(): void {
    if (this.#data.state === 'submitted') this.#onTypedBegan();
  }

  take(mark: Mark, now: number): void {
    if (mark.instance !== this.#data.instance || this.#data.state === 'over') return;
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

  /** Call when it is `dueAt`. */
  tick(now: number): void {
    if (this.#data.dueAt === null || now < this.#data.dueAt) return;
    this.#data.dueAt = null;
    if (this.#data.state === 'running') this.#onHookDue(now);
    else if (this.#data.state === 'parking') this.#sendWithoutAnswer(now);
    else if (this.#data.state === 'sent' || this.#data.state === 'retrying') this.#onLineLost(now);
    else if (this.#data.state === 'healing') this.#refuse('lost', 'output');
  }

  /** The end of the running command that the shell has reported at its prompt, until it is certain. */
  get pendingEnd(): CommandEnd | null {
    return this.#data.hookEnd;
  }

  /** Call if there is a `pendingEnd` and the kernel shows that the shell is reading at the prompt that it reported. */
  promptConfirmed(now: number): void {
    this.#end({ ...this.#data.hookEnd!, isAtPrompt: true });
    this.#onPrompt(now);
  }

  /** Call when the kernel shows that the shell itself is waiting for a line, although it has not reported this. */
  shellReads(now: number): void {
    if (this.#data.state === 'running') {
      this.#end({ exitCode: null, directory: null, via: 'kernel' });
      this.#setState('unknown');
    } else if (this.#data.state === 'starting' || this.#data.state === 'settling') this.#setState('unknown');
    else if (this.#data.state === 'sent' || this.#data.state === 'retrying') this.#onLineLost(now);
    // A question of its prompt hook has taken the Enter: such a shell would have reported a line.
    else if (this.#data.state === 'submitted' && this.#effects.hasParkKey) this.#setState('typing');
    this.#advance(now);
  }

  /** Call when marks can no longer be received: the sent line may have run. Returns false if none was sent. */
  mayHaveBegun(): boolean {
    if (this.#data.state !== 'sent') return false;
    this.#onBegan(this.#data.wanted!);
    return true;
  }

  /** Call when the shell has ended. */
  exited(exitCode: number | null): void {
    if (this.#data.state === 'over') return;
    if (this.#data.running !== null) this.#end({ exitCode, directory: null, via: 'exit' });
    if (this.#data.wanted !== null) this.#refuse('over', 'output');
    this.#setState('over');
  }

  #onLoaded(): void {
    // An unexpected mark is an old one that is being displayed again.
    if (this.#data.state !== 'starting' && this.#data.state !== 'unknown' && this.#data.state !== 'healing') return;
    this.#data.turn = 0;
    this.#data.isLoaded = true;
  }

  #onPromptStart(): void {
    if (this.#data.state !== 'running') return;
    // Displayed text may contain the prompt's mark, so the mark alone proves nothing about our command.
    if (this.#data.hookEnd !== null && !this.#effects.canConfirmPrompt) this.#end(this.#data.hookEnd);
    else if (this.#data.running === 'typed') this.#end({ exitCode: null, directory: null, via: 'prompt' });
  }

  #onPrompt(now: number): void {
    if (this.pendingEnd !== null && this.#effects.canConfirmPrompt) this.#data.dueAt = now + lookIntervalMs(0);
    if (this.#data.state === 'running') return;
    // This is the prompt from before: the shell has not read the typed load line yet.
    if (this.#data.state === 'healing' && !this.#data.isLoaded) return;
    if (this.#data.state === 'healing' || this.#data.state === 'retrying') this.#effects.release('echo');
    // Shells redraw their prompt at any time; a redraw is not a new prompt.
    else if (['prompt', 'typing', 'parking', 'sent'].includes(this.#data.state)) return;
    this.#setState(this.#data.line.hasSubmitted ? 'submitted' : this.#data.line.hasTyped ? 'typing' : 'prompt');
    this.#data.line.hasSubmitted = false;
    if (this.#data.line.hasParked) this.#unpark();
    if (this.acceptsInput) this.#effects.typeDelayed();
    this.#advance(now);
  }

  #unpark(): void {
    // The next request will park it again.
    this.#data.line.hasParked = false;
    this.#data.line.hasTyped = true;
    this.#setState('typing');
    this.#effects.unpark();
  }

  #onContinuation(): void {
    if (this.#data.running === 'typed') this.#withdraw();
    // If our command asks for more input, it has not ended, no matter what the hook reports.
    else if (this.#data.hookEnd !== null) {
      this.#data.hookEnd = null;
      return this.#setState('running');
    } else if (!['prompt', 'typing', 'submitted'].includes(this.#data.state)) return;
    this.#setState('continuation');
    if (this.#data.wanted !== null) this.#refuse('busy');
  }

  /** Withdraws a command that turned out to be only its first line. */
  #withdraw(): void {
    this.#data.running = null;
    this.#effects.withdrawn();
  }

  /** Only the reply to the last key proves that everything before it was read. */
  #onParked(isEmpty: boolean, now: number): void {
    this.#data.line.parksDue = Math.max(0, this.#data.line.parksDue - 1);
    if (this.#data.line.parksDue > 0) return;
    this.#data.line.hasParked = !isEmpty;
    this.#data.line.isUnsure = false;
    if (this.#data.state === 'parking') this.#send(now);
    // The command that room was made for has since been refused.
    else if (this.#data.state === 'prompt' || this.#data.state === 'typing') this.#restoreParked();
  }

  /** Restores parked input at the prompt. */
  #restoreParked(): void {
    if (this.#data.line.hasParked) this.#unpark();
    this.#effects.typeDelayed();
  }

  /** Handles a missing reply to the key: the shell has no such key, or the typed input is running. */
  #sendWithoutAnswer(now: number): void {
    this.#data.line.parksDue = 0;
    // Otherwise, input for the command would wait for a line that does not exist.
    this.#data.line.hasParked = this.#effects.restoresLine;
    this.#send(now);
  }

  #onAsks(command: number, now: number): void {
    if (this.#data.state !== 'sent' || command !== this.#data.wanted) return;
    this.#data.dueAt = now + START_GRACE_MS;
    this.#effects.typeNextLine(command);
  }

  #onBegan(command: number): void {
    if (command === 0) return this.#onTypedBegan();
    if (this.#data.state !== 'sent' || command !== this.#data.wanted) return;
    this.#data.wanted = null;
    this.#data.line.isUnsure = false;
    this.#data.running = command;
    this.#data.hasEntered = false;
    this.#setState('running');
    this.#effects.release('echo');
    this.#effects.began(command);
  }

  /** Shells report our own lines this way too. */
  #onTypedBegan(): void {
    // The shell has taken a line typed in the meantime, so it was at its prompt.
    if (this.pendingEnd !== null && this.#data.hasEntered) this.#end(this.#data.hookEnd!);
    if (['sent', 'retrying', 'healing', 'running', 'unknown'].includes(this.#data.state)) return;
    this.#data.running = 'typed';
    this.#data.line.hasTyped = false;
    this.#setState('running');
    if (this.#data.wanted !== null) this.#refuse('busy');
    this.#effects.typedBegan();
  }

  #onEnded(mark: Mark & { verb: 'ended' }): void {
    this.#data.directory = mark.directory ?? this.#data.directory;
    if (this.#data.running === mark.command) this.#end(endOfLine(mark));
  }

  #onReturned(mark: Mark & { verb: 'returned' }, now: number): void {
    if (mark.turn <= this.#data.turn) return;
    this.#data.turn = mark.turn;
    this.#data.directory = mark.directory;
    const end = endAtPrompt(mark, this.#data.running);
    if (this.#data.running === 'typed') this.#end(end);
    else if (this.#data.state === 'running') {
      this.#data.hookEnd = laterEnd(this.#data.hookEnd, end, this.#data.hasEntered);
      this.#data.hookAt = now;
      this.#data.dueAt = now + HOOK_GRACE_MS;
    } else if (this.#data.state === 'sent') this.#onDropped(now);
    else if (this.#data.state === 'parking') this.#settle();
    else if (['prompt', 'typing', 'submitted', 'continuation', 'unknown'].includes(this.#data.state)) this.#settle();
  }

  /** Accepts what the hook reported, or checks whether it is true. */
  #onHookDue(now: number): void {
    if (!this.#effects.canConfirmPrompt) return this.#end(this.#data.hookEnd!);
    this.#data.dueAt = now + lookIntervalMs(now - (this.#data.hookAt ?? now));
    this.#effects.confirmPrompt();
  }

  /** Called when the shell is about to show a new prompt, which discards the contents of its line. */
  #settle(): void {
    this.#data.line.hasTyped = false;
    this.#setState('settling');
  }

  /** Called when the shell is back at its prompt without reporting the sent line, perhaps from earlier input. */
  #onDropped(now: number): void {
    if (this.#data.line.isUnsure && !this.#effects.hasParkKey) this.#setState('sent', now + START_GRACE_MS);
    else this.#retry(now);
  }

  #retry(now: number): void {
    if (this.#data.tries === 1) this.#setState('retrying', now + RELOAD_GRACE_MS);
    else this.#onLineLost(now);
  }

  /** Called when the sent line was not understood: the shell, or the program in its place, lacks the integration. */
  #onLineLost(now: number): void {
    if (this.#data.tries >= MAX_TRIES) return this.#refuse('lost', 'output');
    // The withheld output is the echo of a line that had no effect.
    this.#effects.release('echo');
    this.#reloadIntegration(now);
  }

  #reloadIntegration(now: number): void {
    this.#data.tries = Math.max(this.#data.tries, 1);
    this.#data.isLoaded = false;
    this.#setState('healing', now + RELOAD_GRACE_MS);
    this.#effects.reloadIntegration();
  }

  #advance(now: number): void {
    if (this.#data.wanted === null) return;
    const isEmpty = isKnownEmpty(this.#data.line, this.#effects.hasParkKey);
    if (this.#data.state === 'prompt' && isEmpty) this.#send(now);
    else if (this.#data.state === 'prompt' || this.#data.state === 'typing') this.#makeRoom(now);
    else if (this.#data.state === 'unknown') this.#reloadIntegration(now);
  }

  /** Makes room for a line. Input that the user did not type is discarded, not parked. */
  #makeRoom(now: number): void {
    const isLitter = this.#data.line.hasLitter && !this.#data.line.isUnsure && this.#data.state === 'prompt';
    this.#data.line.hasLitter = false;
    this.#effects.park(isLitter);
    if (isLitter && !this.#effects.hasParkKey) return this.#send(now);
    this.#setState('parking', now + PARK_GRACE_MS);
    // A shell without the key sends no reply.
    if (this.#effects.hasParkKey) this.#data.line.parksDue++;
  }

  #send(now: number): void {
    if (!this.#effects.isInPlace) return this.#refuseMoved();
    this.#data.line.hasTyped = false;
    this.#data.tries++;
    this.#setState('sent', now + START_GRACE_MS);
    this.#effects.send(this.#data.wanted!);
  }

  #end(end: CommandEnd): void {
    this.#data.running = null;
    this.#data.hookEnd = null;
    this.#data.directory = end.directory ?? this.#data.directory;
    this.#setState('settling');
    this.#effects.ended(end);
  }

  #refuseMoved(): void {
    this.#setState('prompt');
    this.#refuse('moved');
    this.#restoreParked();
  }

  #refuse(why: CommandRefusal, heldBack?: 'output'): void {
    const command = this.#data.wanted!;
    const wasHeld = WITHHOLDING.includes(this.#data.state);
    this.#data.wanted = null;
    if (why === 'lost') this.#setState('unknown');
    if (wasHeld && heldBack !== undefined) this.#effects.release(heldBack);
    this.#effects.refused(command, why);
  }

  #setState(state: SessionState, dueAt: number | null = null): void {
    this.#data.state = state;
    this.#data.dueAt = dueAt;
  }
}
