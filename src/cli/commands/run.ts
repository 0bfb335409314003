/** `tenacitty run`: runs a program in its own terminal and passes on its output and exit code. */
import type { Subscription, TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';
import type { InputIssue } from '../../errors.js';
import { Display, SHOWS_NOTHING } from '../attach/display.js';
import type { Shown } from '../attach/display.js';
import { Keyboard } from '../attach/keyboard.js';
import { onLeavingSignal } from '../attach/signals.js';
import { SizeKeeper } from '../attach/size-keeper.js';
import { Typist } from '../attach/typist.js';
import type { Call } from '../command.js';
import { creationOf } from '../creation.js';
import {
  endingInWords,
  exitCodeOfProgram,
  exitCodeOfSignal,
  FAILED,
  isUnknown,
  NO_SUCH_PROGRAM,
  OK,
  ReaderGone,
} from '../exit-code.js';
import type { Ending } from '../exit-code.js';
import { print, printJson, say } from '../stdout.js';
import { runResultOf } from '../run-result.js';
import type { RunResult } from '../run-result.js';
import type { RUN_FLAGS } from '../flags/start.js';
import { asInRest, shortId } from '../terminal-id.js';
import { typedFor } from '../typed.js';
import type { Typed } from '../typed.js';
import { whyEnded } from '../why-ended.js';
import { withEngine } from '../with-engine.js';

/** Ctrl-D, which the terminal driver turns into end of input. */
const END_OF_INPUT = '\x04';
/** Reading from a pipe pauses while more than this waits to be typed. */
const MAX_BACKLOG = 1 << 20;

/** Why following the program ended. */
type Outcome =
  { readonly ending: Ending } | { readonly signal: NodeJS.Signals } | { readonly error: unknown } | 'removed';

export function run({ flags, program, settings }: Call<typeof RUN_FLAGS>): Promise<number> {
  return withEngine(settings, async (manager, options) => {
    const display = flags.json ? SHOWS_NOTHING : new Display();
    const request = await creationOf(manager, flags, program);
    const size = flags.detach ? null : display.size;
    let detail: TerminalDetail;
    try {
      detail = await manager.create({ ...request, cols: flags.cols ?? size?.cols, rows: flags.rows ?? size?.rows });
    } catch (error) {
      if (!isNoProgram(error)) throw error;
      say(error.message);
      return NO_SUCH_PROGRAM;
    }
    if (!flags.detach) return follow(new Foreground(manager, detail, display, typedFor(options)), flags);
    await (flags.json ? printJson(asInRest(detail)) : print(`${detail.id}\n`));
    return OK;
  });
}

/** Prints JSON only after the person's terminal is restored. */
async function follow(foreground: Foreground, { keep, json }: { keep: boolean; json: boolean }): Promise<number> {
  const { code, result } = await foreground.toEnd(keep, json);
  if (result !== undefined) await printJson(result);
  return code;
}

function isNoProgram(error: unknown): error is TerminalError {
  if (!(error instanceof TerminalError)) return false;
  const issues = (error.details['issues'] ?? []) as readonly InputIssue[];
  return issues.some(({ field }) => field === 'command');
}

/** One program, from its start until it ends or this process does. */
class Foreground {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #display: Shown;
  readonly #typed: Typed;
  readonly #keyboard = new Keyboard();
  readonly #typist: Typist;
  readonly #sizes: SizeKeeper;
  #subscription: Subscription | undefined;
  #outcome: Outcome | undefined;
  #isAtLineStart = true;

  constructor(manager: TerminalManager, detail: TerminalDetail, display: Shown, typed: Typed) {
    this.#typed = typed;
    this.#manager = manager;
    this.#id = detail.id;
    this.#display = display;
    this.#sizes = new SizeKeeper(manager, detail.id, detail, () => display.size);
    this.#typist = new Typist(manager, detail.id, {
      before: (text) => this.#sizes.beforeTyping(text),
      onIdle: () => this.#keyboard.resume(),
      onError: (error) => this.#onError(error),
    });
  }

  /**
   * Resolves with the exit code and, if `isAsked`, the result. Removes the terminal of a program that has ended unless
   * `isKept`; a program that is still running is left alone.
   */
  async toEnd(isKept: boolean, isAsked: boolean): Promise<{ code: number; result?: RunResult }> {
    const letGo = this.#listen();
    try {
      const outcome = await this.#follow();
      const isKnown = outcome !== 'removed' && !('error' in outcome);
      const result = isAsked && isKnown ? { result: await runResultOf(this.#manager, this.#id) } : {};
      if (outcome !== 'removed') await this.#tell(outcome, isKept);
      return { code: exitCodeOf(outcome), ...result };
    } catch (error) {
      // As in any pipe: a program without a reader is ended.
      if (error instanceof ReaderGone) await this.#tidyUp(isKept);
      throw error;
    } finally {
      letGo();
    }
  }

  async #tell(outcome: Exclude<Outcome, 'removed'>, isKept: boolean): Promise<void> {
    const short = shortId(this.#id);
    if (!('ending' in outcome))
      return say(`terminal ${short} keeps running; to attach to it: ${this.#typed(`attach ${short}`)}`);
    if (isUnknown(outcome.ending)) return say(lostInWords(this.#id, this.#typed));
    const why = await whyEnded(this.#manager, this.#id);
    if (why !== '') say(`the program has ended: ${endingInWords(outcome.ending)}${why}`);
    await this.#tidyUp(isKept);
  }

  #listen(): () => void {
    this.#display.open();
    this.#keyboard.open({ onText: (text) => this.#onText(text), onEnd: () => this.#onEnd() });
    const letGo = [
      onLeavingSignal((signal) => this.#leave({ signal }), ['SIGHUP', 'SIGTERM']),
      onLeavingSignal(() => void this.#interrupt(), ['SIGINT']),
    ];
    const onContinue = () => this.#keyboard.setRawAgain();
    const onResize = () => void this.#sizes.onOurs().catch((error: unknown) => this.#onError(error));
    process.on('SIGCONT', onContinue);
    process.stdout.on('resize', onResize);
    return () => {
      process.off('SIGCONT', onContinue);
      process.stdout.off('resize', onResize);
      for (const letSignalsGo of letGo) letSignalsGo();
      this.#display.restore();
      this.#keyboard.close();
    };
  }

  #leave(outcome: Outcome): void {
    this.#outcome ??= outcome;
    this.#subscription?.close();
  }

  /** Ignores the loss of the host process, which the end of the subscription reports. */
  #onError(error: unknown): void {
    const isLost = error instanceof TerminalError && error.code === 'HOST_LOST';
    if (!isLost) this.#leave({ error });
  }

  async #follow(): Promise<Outcome> {
    await this.#sizes.take();
    this.#subscription = await this.#manager.subscribe(this.#id, 0);
    if (this.#outcome !== undefined) this.#subscription.close();
    for await (const event of this.#subscription) {
      if (event.type === 'output') await this.#display.show(event.bytes);
      else if (event.type === 'gap')
        say(
          `${event.resumeAt - event.offset} bytes of output are missing: they were printed faster than they could be ` +
            'read',
        );
      else if (event.type === 'resize') this.#sizes.onApplied(event);
      else if (event.type === 'exit' || event.type === 'end')
        this.#leave(event.type === 'exit' ? { ending: event } : 'removed');
    }
    await this.#display.finish();
    return this.#outcome ?? 'removed';
  }

  #onText(text: string): void {
    this.#isAtLineStart = /[\r\n]$/.test(text);
    this.#typist.type(text);
    if (this.#typist.backlog > MAX_BACKLOG) this.#keyboard.pause();
  }

  /** In the middle of a line, the first Ctrl-D only submits what was typed. */
  #onEnd(): void {
    if (this.#keyboard.isTerminal) this.#leave({ signal: 'SIGHUP' });
    else this.#typist.type(this.#isAtLineStart ? END_OF_INPUT : END_OF_INPUT + END_OF_INPUT);
  }

  /** Handles Ctrl-C if stdin is not a terminal that could pass it on. */
  async #interrupt(): Promise<void> {
    // A program that has just ended needs no signal.
    await this.#manager.signal(this.#id, { signal: 'SIGINT' }).catch(() => {});
  }

  async #tidyUp(isKept: boolean): Promise<void> {
    if (isKept) return;
    try {
      await this.#manager.remove(this.#id);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      // Another client has removed it.
      if (error.code !== 'TERMINAL_NOT_FOUND') say(error.message);
    }
  }
}

/** Describes a program whose ending was not observed. */
function lostInWords(id: string, typed: Typed): string {
  const short = shortId(id);
  return (
    `terminal ${short} is lost: its host process is gone, and the program with it; for its output: ` +
    `${typed(`logs ${short}`)}`
  );
}

function exitCodeOf(outcome: Outcome): number {
  if (outcome === 'removed') {
    say('the terminal was removed');
    return FAILED;
  }
  if ('error' in outcome) throw outcome.error;
  return 'ending' in outcome ? exitCodeOfProgram(outcome.ending) : exitCodeOfSignal(outcome.signal);
}
