/**
 * The shells that are followed in one terminal: that of the terminal itself, and within a command of it another, and so
 * on. The innermost has the terminal; when a command ends, so do all shells within it. Takes their marks out of the
 * output, and keeps what is typed out of lines of ours. It knows no pseudo-terminal and no reader.
 */
import { monotonicMs } from '../clock.js';
import type { CommandLog } from './command-log.js';
import { probeInput, type InputProbe } from '../processes/input-probe.js';
import { KeptTyping } from './kept-typing.js';
import { MarkFilter } from './mark-filter.js';
import type { Mark } from './marker.js';
import { ScriptFiles } from './script-files.js';
import type { Refusal } from './session/effects.js';
import type { SessionState } from './session/session.js';
import type { ShellKind } from './shells.js';
import { ByFile } from './command-way.js';
import { FollowedShell } from './followed-shell.js';
import type { HandedShell } from './handed-shell.js';
import { readProcess } from '../processes/process-table.js';
import { ShellArrival, type WayIn } from './nested/arrival.js';
import { pressUntilHeard } from '../processes/interruption.js';
import { ShellDisplay, type ShellTerminal } from './display.js';
import type { Surroundings } from './surroundings.js';

/** A shell that works is given so much more time to answer. */
const MAX_LATE_MS = 10_000;
const LOOK_AGAIN_MS = 50;
/** Looks at which it must have been seen to read its terminal: one may fall between two keys that it takes. */
const AGREEING_LOOKS = 3;
/** So long one that another process has begun may take, should nobody ask for it any more. */
const MAX_ARRIVAL_MS = 10_000;

const INTERRUPT_BYTE = 0x03;
/** Ctrl-C, Ctrl-Z and Ctrl-\\: the terminal itself hears these, whoever reads. */
const SIGNAL_BYTES = [INTERRUPT_BYTE, 0x1a, 0x1c];
/** Ctrl-C. */
const INTERRUPT = '\x03';

export class IntegratedShell implements Surroundings {
  readonly terminal: ShellTerminal;
  readonly log: CommandLog;
  readonly display: ShellDisplay;
  readonly #files: ScriptFiles;
  readonly #filter: MarkFilter;
  readonly #kept = new KeptTyping();
  /** Outermost first. */
  readonly #shells: FollowedShell[];
  /** One that is about to come. */
  #arrival: ShellArrival | null = null;
  /** Whether another process is about to go on with it: nothing is to be typed here. */
  isAway = false;
  readonly #refused = new Map<number, Refusal>();
  /** How often a shell that owes an answer was seen to read, one look after the other. */
  #idleLooks = 0;
  /** Whether the shell was seen to read, or nobody could be seen, since it said something last. */
  #isSilent = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param pid - Of the shell. */
  static start(kind: ShellKind, files: ScriptFiles, pid: number, terminal: ShellTerminal, log: CommandLog) {
    return new IntegratedShell(files, terminal, log, (around) => [
      new FollowedShell({ kind, version: '', instance: pid, pid, within: null }, new ByFile(files), around),
    ]);
  }

  static resume(handed: HandedShell, terminal: ShellTerminal, log: CommandLog): IntegratedShell {
    const { directory, nonce, isInMemory } = handed.shells[0]!.way;
    const files = new ScriptFiles(directory!, nonce, isInMemory);
    const resumed = (around: Surroundings) => handed.shells.map((shell) => FollowedShell.resume(shell, around));
    return new IntegratedShell(files, terminal, log, resumed, handed);
  }

  private constructor(
    files: ScriptFiles,
    terminal: ShellTerminal,
    log: CommandLog,
    shellsIn: (around: Surroundings) => FollowedShell[],
    handed?: HandedShell,
  ) {
    this.terminal = terminal;
    this.log = log;
    this.#files = files;
    this.display = new ShellDisplay(terminal, handed?.display);
    const output = {
      onText: (bytes: Buffer) => this.#innermost.output(bytes),
      onMark: (mark: Mark, nonce: string) => this.#onMark(mark, nonce),
    };
    this.#filter = new MarkFilter(files.nonce, output, handed && Buffer.from(handed.pending, 'base64'));
    this.#shells = shellsIn(this);
    for (const { nonce } of this.#shells) this.#filter.expect(nonce);
    if (handed === undefined) return;
    this.#kept.add(Buffer.from(handed.kept, 'base64'));
    if (handed.arrival) this.#goOnWith(ShellArrival.resume(handed.arrival, this));
    // The one before has asked what only the shell itself could answer.
    if (this.display.isHeld && !this.#isMakingLine) this.display.release('output');
    this.#arm();
  }

  #goOnWith(arrival: ShellArrival): void {
    this.#arrival = arrival;
    this.#filter.expect(arrival.nonce);
    setTimeout(() => this.#arrival === arrival && this.giveUpArrival(), MAX_ARRIVAL_MS).unref();
  }

  /** To be called when nothing is taken any more. */
  handOver(): HandedShell {
    this.isAway = true;
    clearTimeout(this.#timer);
    return {
      shells: this.#shells.map((shell) => shell.handed),
      pending: this.#filter.pending.toString('base64'),
      kept: this.#kept.peek().toString('base64'),
      display: this.display.handed,
      arrival: this.#arrival?.handed ?? null,
    };
  }

  takeBack(): void {
    this.isAway = false;
    this.#arm();
    this.terminal.changed();
  }

  // --- the shells -----------------------------------------------------------------------------------

  get #innermost(): FollowedShell {
    return this.#shells.at(-1)!;
  }

  /** The one that has the terminal, if it runs within a command. */
  get inner(): FollowedShell | null {
    return this.#shells.length > 1 ? this.#innermost : null;
  }

  /** Of the innermost; null where that is not known, as on another machine. */
  get pid(): number | null {
    return this.#innermost.pid;
  }

  get state(): SessionState {
    return this.#innermost.state;
  }

  /** The command that runs, typed ones too; of the innermost shell. */
  get running(): number | null {
    return this.#innermost.running;
  }

  get isFree(): boolean {
    return this.#innermost.isFree;
  }

  /** Whether a shell is followed within this command, so that it is no more than the way there. */
  isAround(commandId: number): boolean {
    return this.#shells.some(({ within }) => within === commandId);
  }

  /** Where the system says that the shell is in which this command runs; null where it does not. */
  systemDirectory(commandId: number): string | null {
    return this.#shells.find(({ running }) => running === commandId)?.systemDirectory() ?? null;
  }

  /** See `FollowedShell.readsAs`; of the innermost. */
  readsAs(): Promise<'prompt' | 'editor' | 'input'> {
    return this.#innermost.readsAs();
  }

  /** Who waits for input, as the kernel says. */
  probe(): InputProbe {
    return probeInput({ pid: this.#shells[0]!.pid! });
  }

  /** Types Ctrl-C, if this is the command that has the terminal; answers whether it is. */
  interrupt(commandId: number): boolean {
    if (this.running !== commandId) return false;
    void pressUntilHeard({
      pid: this.#innermost.pid,
      type: () => this.terminal.type(INTERRUPT),
      isOver: () => this.running !== commandId,
    });
    return true;
  }

  /** The number of the command that was asked for with this key, if there is one that begins or has begun. */
  numberOf(key: string): number | undefined {
    return this.#innermost.wantedBy(key) ?? this.log.numberOf(key);
  }

  /** See `FollowedShell.want`. To be called where `isFree`. */
  want(...wanted: Parameters<FollowedShell['want']>): number {
    const commandId = this.#innermost.want(...wanted);
    this.#arm();
    return commandId;
  }

  /** See `ShellSession.unwant`. */
  unwant(commandId: number): boolean {
    return this.#innermost.unwant(commandId);
  }

  /** Why a command that was asked for was not run; told once. */
  refusalOf(commandId: number): Refusal | undefined {
    const refusal = this.#refused.get(commandId);
    this.#refused.delete(commandId);
    return refusal;
  }

  /** See `ShellSession.shellReads`. */
  shellReads(): void {
    this.#innermost.shellReads();
    this.#arm();
  }

  // --- a shell within -------------------------------------------------------------------------------

  /** Whether one is about to come. */
  get isExpecting(): boolean {
    return this.#arrival !== null;
  }

  /**
   * Types what has a shell or REPL within the running command say what it does from now on. It is `inner` when that has
   * come to a prompt; `giveUpArrival` if it does not. To be called where a command runs and none `isExpecting`.
   *
   * @throws what a disk throws.
   */
  expect(way: WayIn): void {
    this.#arrival = ShellArrival.start(way, this.running!, this.#files, this);
    this.#filter.expect(this.#arrival.nonce);
    this.#arrival.begin();
  }

  /** Nothing that was typed for it was understood, or it takes too long. */
  giveUpArrival(isThere = true): void {
    const arrival = this.#arrival;
    if (arrival === null) return;
    this.#arrival = null;
    this.#filter.forget(arrival.nonce);
    arrival.giveUp(isThere);
    this.#arm();
  }

  /** Whatever runs within a command of this shell is over, and so are the shells there. */
  ending(shell: FollowedShell): void {
    this.giveUpArrival(false);
    while (this.#innermost !== shell && this.#shells.includes(shell)) this.#drop();
  }

  /** Shells within that are seen to be gone, though the command around them goes on. */
  dropGone(): void {
    while (this.inner !== null && this.inner.pid !== null && readProcess(this.inner.pid)?.isGone !== false)
      this.#drop();
  }

  /** The innermost shell is not to be followed any more; how its command ended is not known. */
  #drop(): void {
    const shell = this.#innermost;
    shell.exited(null, null);
    this.#filter.forget(shell.nonce);
    if (this.display.isHeld) this.display.release('output');
    this.#shells.pop();
  }

  refused(command: number, why: Refusal, shell: FollowedShell): void {
    this.#refused.set(command, why);
    this.terminal.changed();
    // What has taken its place may be anything: whoever knows what it is may ask for it again.
    if (why === 'lost' && shell === this.inner) this.#drop();
  }

  // --- output and typing ----------------------------------------------------------------------------

  /** Takes in what the shells and their programs write. */
  take(bytes: Uint8Array): void {
    this.#filter.take(bytes);
    this.#arm();
  }

  #onMark(mark: Mark, nonce: string): void {
    this.#isSilent = false;
    if (nonce === this.#arrival?.nonce) return this.#onArrival(this.#arrival, mark);
    const shell = this.#shells.find((one) => one.nonce === nonce);
    const isInFront = shell === this.#innermost;
    if (isInFront && mark.verb === 'promptEnd') this.display.promptEnded(mark.history);
    shell?.take(mark);
    if (shell === this.#innermost) this.#show(shell, mark);
  }

  /** The new shell is told of its first prompt as of any other. */
  #onArrival(arrival: ShellArrival, mark: Mark): void {
    const shell = arrival.take(mark);
    if (shell === null) return;
    this.#shells.push(shell);
    this.#arrival = null;
    this.display.release('echo');
    this.#onMark(mark, shell.nonce);
    this.terminal.changed();
  }

  #show(shell: FollowedShell, { verb }: Mark): void {
    // Of one on another machine, the name of this one would be wrong.
    if (shell.state !== 'running' && shell.pid !== null) this.display.directory(shell.directory);
    if (verb === 'promptStart') this.display.promptBegan();
    if (verb === 'promptEnd') this.display.isBetween = shell.state === 'prompt';
  }

  /** Types what somebody has typed, as soon as it cannot get into a line of ours. */
  type(bytes: Uint8Array): void {
    this.#kept.add(bytes);
    if (bytes.some((byte) => SIGNAL_BYTES.includes(byte)) || this.#kept.isTooMuch) this.typeKept();
    this.#arm();
  }

  typeKept(): void {
    for (const bytes of this.#kept.take()) {
      this.#note(bytes);
      this.terminal.type(bytes);
    }
  }

  get #isMakingLine(): boolean {
    return this.isExpecting || this.#innermost.isMakingLine;
  }

  /** Whoever types into a command that goes on wants to be heard, though something of theirs is put by. */
  #typeDue(): void {
    if (this.isAway) return;
    if (!this.#isMakingLine && this.#isHeard()) this.typeKept();
    this.#arm();
  }

  /**
   * Whether somebody reads what is typed. The shell, which will at its prompt, has to put by what was typed before, or to
   * bring it back, first. That it reads is believed when seen twice without a word of it: it may be at its prompt, of which
   * the mark is on its way. So is that who reads cannot be seen: it is so for a moment when a command ends.
   */
  #isHeard(): boolean {
    if (!this.#innermost.putsBy) return true;
    const { waiting, isKnown } = this.probe();
    if (waiting !== null && waiting.pid !== this.pid) return true;
    const wasSilent = this.#isSilent;
    this.#isSilent = (waiting !== null || !isKnown) && !wasSilent;
    if (wasSilent && waiting !== null) this.#innermost.parksTaken();
    return wasSilent && (waiting !== null || !isKnown);
  }

  /** The terminal has typed an answer to what a program asked it. */
  replied(bytes: Uint8Array): void {
    this.#innermost.replied(bytes);
  }

  #note(bytes: Uint8Array): void {
    const submits = bytes.includes(0x0d) || bytes.includes(0x0a);
    const isControl = bytes.every((byte) => byte < 0x20 && byte !== 0x1b && byte !== 0x09);
    if (bytes.includes(INTERRUPT_BYTE)) this.#innermost.typedInterrupt();
    if (submits || !isControl) this.#innermost.typed(bytes, submits);
  }

  /** The shell of the terminal has ended, and all it wrote was taken. */
  exited({ exitCode, signal }: { readonly exitCode: number | null; readonly signal: string | null }): void {
    this.#filter.end();
    const [own] = this.#shells;
    this.ending(own!);
    own!.exited(exitCode, signal);
    if (this.display.isHeld) this.display.release('output');
    this.close();
  }

  /** Gives up everything; the log stays. */
  close(): void {
    clearTimeout(this.#timer);
    this.#kept.take();
    for (const shell of this.#shells) shell.close();
    this.#files.remove();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (!this.isExpecting && this.#innermost.takesTyping) this.typeKept();
    else this.#kept.whenDue(() => this.#typeDue());
    const leftMs = Math.min(...this.#shells.map(({ dueAt }) => dueAt ?? Infinity)) - monotonicMs();
    if (leftMs === Infinity) return;
    // One that is late is looked at again, however often this is called meanwhile.
    const waitMs = leftMs >= 0 ? leftMs : LOOK_AGAIN_MS + (leftMs % LOOK_AGAIN_MS);
    this.#timer = setTimeout(() => this.#tick(), waitMs + 1);
  }

  /** Whether a shell that owes an answer works, and has not read on yet: where a machine is busy, that takes its time. */
  #isLate({ dueAt, isMakingLine, pid }: FollowedShell, now: number): boolean {
    const isDue = dueAt !== null && now >= dueAt;
    if (!isDue || !isMakingLine || pid === null || now - dueAt > MAX_LATE_MS) return false;
    const { isKnown, waiting, foreground } = this.probe();
    if (!isKnown || foreground?.group !== readProcess(pid)?.group) return false;
    this.#idleLooks = waiting === null ? 0 : this.#idleLooks + 1;
    if (this.#idleLooks < AGREEING_LOOKS) return true;
    this.#idleLooks = 0;
    return false;
  }

  #tick(): void {
    const now = monotonicMs();
    // One that ends a command takes those within along.
    for (const shell of [...this.#shells])
      if (this.#shells.includes(shell) && !this.#isLate(shell, now)) shell.tick(now);
    this.#arm();
    this.terminal.changed();
  }
}
