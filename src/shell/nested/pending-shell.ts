/** Integrates a nested shell or REPL: types what is needed to get it to its first integrated prompt. */
import type { Mark } from '../marker.js';
import { innerScript } from './inner-script.js';
import type { ScriptFiles } from '../script-files.js';
import { KILL_LINE } from '../shells.js';
import type { TrackedKind } from '../shells.js';
import { kindOfRequester, openingLine, SCRIPT_NUMBER, typedLines, withoutComments } from './typed-script.js';
import type { OpeningKind } from './typed-script.js';
import { FileTransport, TypingTransport, resumeTransport } from '../command-transport.js';
import type { CommandTransport, TransportHandOff } from '../command-transport.js';
import { TrackedShell } from '../tracked-shell.js';
import type { ShellHandOff } from '../shell-hand-off.js';
import type { ShellContext } from '../shell-context.js';

/** How to pass the integration to a shell or REPL. */
export type IntegrationTarget = {
  /** Process id on this machine; null if unknown. */
  readonly pid: number | null;
} & (
  | { readonly by: 'file'; readonly kind: TrackedKind }
  /** The shell reports its kind itself. */
  | { readonly by: 'typing'; readonly opening: OpeningKind }
);

/** All the state that a hand-off to another process needs. */
export interface PendingShellHandOff {
  readonly way: IntegrationTarget;
  readonly texts: TransportHandOff;
  readonly within: number;
  readonly lines: readonly string[] | null;
  readonly next: number;
  readonly kind: TrackedKind;
  readonly shell: ShellHandOff | null;
}

/** Stops a shell that is waiting for input that will never come. */
const INTERRUPT = '\x03';

export class PendingShell {
  readonly #target: IntegrationTarget;
  readonly #transport: CommandTransport;
  readonly #within: number;
  readonly #context: ShellContext;
  #lines: readonly string[] | null = null;
  #next = 0;
  #kind: TrackedKind;
  #shell: TrackedShell | null = null;

  /**
   * @param within - The command that the shell runs within.
   * @param files - The files of the terminal's shell. If the nested shell can read files, its own go into a
   * subdirectory.
   */
  static start(target: IntegrationTarget, within: number, files: ScriptFiles, context: ShellContext): PendingShell {
    const transport = target.by === 'file' ? FileTransport.within(files) : new TypingTransport();
    return new PendingShell(target, within, transport, context);
  }

  static resume(handed: PendingShellHandOff, context: ShellContext): PendingShell {
    const transport = resumeTransport(handed.texts);
    const pending = new PendingShell(handed.way, handed.within, transport, context);
    pending.#lines = handed.lines;
    pending.#next = handed.next;
    pending.#kind = handed.kind;
    if (handed.shell !== null) pending.#shell = TrackedShell.resume(handed.shell, context);
    return pending;
  }

  private constructor(target: IntegrationTarget, within: number, transport: CommandTransport, context: ShellContext) {
    this.#target = target;
    this.#within = within;
    this.#transport = transport;
    this.#context = context;
    this.#kind = target.by === 'file' ? target.kind : 'sh';
  }

  get handOffState(): PendingShellHandOff {
    return {
      ...{
        way: this.#target,
        texts: this.#transport.handOffState,
        within: this.#within,
        lines: this.#lines,
        next: this.#next,
      },
      ...{ kind: this.#kind, shell: this.#shell?.handOffState ?? null },
    };
  }

  get nonce(): string {
    return this.#transport.nonce;
  }

  /** Types the first line. @throws file system errors. */
  begin(): void {
    const line =
      this.#transport.loadLine(this.#kind) ??
      openingLine((this.#target as { opening: OpeningKind }).opening, this.nonce);
    this.#context.display.hold();
    this.#context.terminal.type(KILL_LINE + line);
  }

  /**
   * Handles a mark. Returns the shell if the mark ends its first prompt; the caller then passes the mark on to the
   * shell.
   */
  take(mark: Mark): TrackedShell | null {
    if (mark.verb === 'asks' && mark.command === SCRIPT_NUMBER) this.#typeScript(mark.program);
    else if (mark.verb === 'loaded') this.#shell = this.#createShell(mark);
    else if (mark.verb === 'promptEnd' && mark.instance === this.#shell?.instance) return this.#shell;
    else this.#shell?.take(mark);
    return null;
  }

  /** @param isThere - Whether the program that took the first lines may be waiting for more of them. */
  giveUp(isThere: boolean): void {
    const { display, terminal } = this.#context;
    if (isThere && this.#lines !== null && this.#shell === null) terminal.type(INTERRUPT);
    if (display.isHeld) display.release('output');
    this.#transport.close();
  }

  #typeScript(program: string): void {
    if (this.#lines === null) {
      this.#kind = kindOfRequester(program);
      this.#lines = typedLines(this.#kind, withoutComments(innerScript(this.#kind, this.nonce, null)));
    }
    const { display, terminal } = this.#context;
    // The terminal shows the echo of the previous line.
    display.release('echo');
    display.hold();
    const line = this.#lines[this.#next++];
    if (line !== undefined) terminal.type(line);
  }

  #createShell({ instance, program, version }: Mark & { verb: 'loaded' }): TrackedShell {
    const identity = { kind: this.#kind, version, instance, pid: this.#target.pid, within: this.#within };
    const shell = new TrackedShell(identity, this.#transport, this.#context);
    shell.take({ verb: 'loaded', instance, program, version });
    return shell;
  }
}
