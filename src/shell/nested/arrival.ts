/**
 * Integrates a nested shell or REPL: types what is needed until its first prompt. Does not depend on where the shell
 * runs or on whether it understands what is typed.
 */
import type { Mark } from '../marker.js';
import { innerScript } from './inner-script.js';
import type { ScriptFiles } from '../script-files.js';
import { KILL_LINE } from '../shells.js';
import type { FollowedKind } from '../shells.js';
import { kindOfAsker, openingLine, SCRIPT_NUMBER, typedLines, withoutComments } from './typed-script.js';
import type { Opening } from './typed-script.js';
import { ByFile, ByTyping, resumeWay } from '../command-way.js';
import type { CommandWay, HandedWay } from '../command-way.js';
import { FollowedShell } from '../followed-shell.js';
import type { HandedFollowed } from '../handed-followed.js';
import type { Surroundings } from '../surroundings.js';

/** How a shell or REPL is reached. */
export type WayIn = {
  /** Process id on this machine; null if unknown. */
  readonly pid: number | null;
} & (
  | { readonly by: 'file'; readonly kind: FollowedKind }
  /** The shell reports its kind itself. */
  | { readonly by: 'typing'; readonly opening: Opening }
);

/** All the state that a hand-off to another process needs. */
export interface HandedArrival {
  readonly way: WayIn;
  readonly texts: HandedWay;
  readonly within: number;
  readonly lines: readonly string[] | null;
  readonly next: number;
  readonly kind: FollowedKind;
  readonly shell: HandedFollowed | null;
}

/** Stops a shell that reads a text that will not come. */
const INTERRUPT = '\x03';

export class ShellArrival {
  readonly #way: WayIn;
  readonly #texts: CommandWay;
  readonly #within: number;
  readonly #around: Surroundings;
  #lines: readonly string[] | null = null;
  #next = 0;
  #kind: FollowedKind;
  #shell: FollowedShell | null = null;

  /**
   * @param within - The command within which the shell runs.
   * @param files - The files of the terminal's shell; those of a nested shell that can read them go into a
   * subdirectory.
   */
  static start(way: WayIn, within: number, files: ScriptFiles, around: Surroundings): ShellArrival {
    const texts = way.by === 'file' ? ByFile.within(files) : new ByTyping();
    return new ShellArrival(way, within, texts, around);
  }

  static resume(handed: HandedArrival, around: Surroundings): ShellArrival {
    const texts = resumeWay(handed.texts);
    const arrival = new ShellArrival(handed.way, handed.within, texts, around);
    arrival.#lines = handed.lines;
    arrival.#next = handed.next;
    arrival.#kind = handed.kind;
    if (handed.shell !== null) arrival.#shell = FollowedShell.resume(handed.shell, around);
    return arrival;
  }

  private constructor(way: WayIn, within: number, texts: CommandWay, around: Surroundings) {
    this.#way = way;
    this.#within = within;
    this.#texts = texts;
    this.#around = around;
    this.#kind = way.by === 'file' ? way.kind : 'sh';
  }

  get handed(): HandedArrival {
    return {
      ...{ way: this.#way, texts: this.#texts.handed, within: this.#within, lines: this.#lines, next: this.#next },
      ...{ kind: this.#kind, shell: this.#shell?.handed ?? null },
    };
  }

  get nonce(): string {
    return this.#texts.nonce;
  }

  /** Types the first line. @throws file system errors. */
  begin(): void {
    const line =
      this.#texts.loadLine(this.#kind) ?? openingLine((this.#way as { opening: Opening }).opening, this.nonce);
    this.#around.display.hold();
    this.#around.terminal.type(KILL_LINE + line);
  }

  /** Takes a mark. Returns the shell if the mark ends its first prompt; the caller passes that mark on to the shell. */
  take(mark: Mark): FollowedShell | null {
    if (mark.verb === 'asks' && mark.command === SCRIPT_NUMBER) this.#give(mark.program);
    else if (mark.verb === 'loaded') this.#shell = this.#made(mark);
    else if (mark.verb === 'promptEnd' && mark.instance === this.#shell?.instance) return this.#shell;
    else this.#shell?.take(mark);
    return null;
  }

  /** @param isThere - Whether the program that took the first lines may be waiting for more of them. */
  giveUp(isThere: boolean): void {
    const { display, terminal } = this.#around;
    if (isThere && this.#lines !== null && this.#shell === null) terminal.type(INTERRUPT);
    if (display.isHeld) display.release('output');
    this.#texts.close();
  }

  #give(program: string): void {
    if (this.#lines === null) {
      this.#kind = kindOfAsker(program);
      this.#lines = typedLines(this.#kind, withoutComments(innerScript(this.#kind, this.nonce, null)));
    }
    const { display, terminal } = this.#around;
    // The terminal shows the echo of the previous line.
    display.release('echo');
    display.hold();
    const line = this.#lines[this.#next++];
    if (line !== undefined) terminal.type(line);
  }

  #made({ instance, program, version }: Mark & { verb: 'loaded' }): FollowedShell {
    const identity = { kind: this.#kind, version, instance, pid: this.#way.pid, within: this.#within };
    const shell = new FollowedShell(identity, this.#texts, this.#around);
    shell.take({ verb: 'loaded', instance, program, version });
    return shell;
  }
}
