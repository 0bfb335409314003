/** `tenacitty run`: runs a program in its own terminal, and passes on its output and exit code. */
import type { Options } from '../../config.js';
import type { Subscription, TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { issueOf, TerminalError } from '../../errors.js';
import { DetachFinder, detachKeyOf } from '../attach/detach-key.js';
import type { DetachKey } from '../attach/detach-key.js';
import { Display, NO_DISPLAY } from '../attach/display.js';
import type { ProgramDisplay } from '../attach/display.js';
import { RawKeyboard } from '../attach/raw-keyboard.js';
import { onEndingSignal } from '../attach/signals.js';
import { SizeSync } from '../attach/size-sync.js';
import { InputSender } from '../attach/input-sender.js';
import type { ParsedCall } from '../command.js';
import { creationRequest } from '../creation-request.js';
import {
  describeEnd,
  exitCodeOfProgram,
  exitCodeOfSignal,
  FAILED,
  isUnknownEnd,
  NO_SUCH_PROGRAM,
  NOT_EXECUTABLE,
  OK,
  StdoutClosed,
} from '../exit-code.js';
import type { ProgramEnd } from '../exit-code.js';
import { print, printJson, printMessage } from '../stdout.js';
import { runResultOf } from '../run-result.js';
import type { RunResult } from '../run-result.js';
import type { RUN_FLAGS } from '../flags/start.js';
import { asInRest, shortId } from '../terminal-id.js';
import { commandFormatter } from '../command-formatter.js';
import type { CommandFormatter } from '../command-formatter.js';
import { describeWhyEnded } from '../why-ended.js';
import { withEngine } from '../with-engine.js';

/** Ctrl-D, which the terminal driver turns into end of input. */
const END_OF_INPUT = '\x04';
/** Reading from a pipe pauses while more characters than this are waiting to be typed. */
const MAX_BACKLOG = 1 << 20;

/** Messages about a program that does not exist; see `launch/program.ts`. */
const MISSING = / is not on PATH| does not exist or /;

/** Why the program is no longer being followed. */
type Outcome =
  | { readonly ending: ProgramEnd }
  | { readonly signal: NodeJS.Signals }
  | { readonly detached: true }
  | { readonly error: unknown }
  | 'removed';

export function run(call: ParsedCall<typeof RUN_FLAGS>): Promise<number> {
  return runProgram(call, () => {});
}

/** @param onEnd - Called when the program has ended, or is no longer followed. */
export function runProgram(
  { flags, program, settings }: ParsedCall<typeof RUN_FLAGS>,
  onEnd: (detail: TerminalDetail, options: Options) => void,
): Promise<number> {
  return withEngine(settings, async (manager, options) => {
    const display = flags.json ? NO_DISPLAY : new Display();
    const request = await creationRequest(manager, flags, withModes(program, flags));
    const size = flags.detach ? null : display.size;
    let detail: TerminalDetail;
    try {
      detail = await manager.create({ ...request, cols: flags.cols ?? size?.cols, rows: flags.rows ?? size?.rows });
    } catch (error) {
      const issue = issueOf(error, 'command');
      if (issue === undefined) throw error;
      printMessage((error as TerminalError).message);
      return MISSING.test(issue.message) ? NO_SUCH_PROGRAM : NOT_EXECUTABLE;
    }
    if (!flags.detach) {
      const from = await outputStart(manager, detail.id, flags);
      const detachKey = flags.detachKey ?? detachKeyOf(options);
      const how = { from, detachKey, formatCommand: commandFormatter(options) };
      const foreground = new ForegroundProgram(manager, detail, display, how);
      return follow(foreground, flags).finally(() => onEnd(detail, options));
    }
    await (flags.json ? printJson(asInRest(detail)) : print(`${detail.id}\n`));
    return OK;
  });
}

interface Modes {
  readonly noEcho: boolean;
  readonly raw: boolean;
}

/** Printed when the modes of the terminal are set. Has no effect on the screen. */
const MODES_SET = '\x1b[m';
const MODES_TIMEOUT_MS = 10_000;

/** Returns the program, started by a shell that first sets the requested modes of the terminal. */
function withModes(program: readonly string[], { noEcho, raw }: Modes): readonly string[] {
  if (!noEcho && !raw) return program;
  return ['sh', '-c', `stty -echo${raw ? ' -opost' : ''}; printf '\\033[m'; exec "$@"`, 'sh', ...program];
}

/** Waits until the modes are set, because earlier input would be echoed. Returns where the output begins. */
async function outputStart(manager: TerminalManager, id: string, { noEcho, raw }: Modes): Promise<number> {
  if (!noEcho && !raw) return 0;
  const { stats } = await manager.read(id, { format: 'raw', timeoutMs: MODES_TIMEOUT_MS });
  return Math.min(stats.totalBytes, MODES_SET.length);
}

/** Follows the program. Prints JSON only after the person's own terminal has been restored. */
async function follow(
  foreground: ForegroundProgram,
  { keep, json }: { keep: boolean; json: boolean },
): Promise<number> {
  const { code, result } = await foreground.toEnd(keep, json);
  if (result !== undefined) await printJson(result);
  return code;
}

interface FollowOptions {
  /** Offset at which the program's output begins. */
  readonly from: number;
  readonly detachKey: DetachKey;
  readonly formatCommand: CommandFormatter;
}

/** One program, from its start until it ends or this process stops following it. */
class ForegroundProgram {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #display: ProgramDisplay;
  readonly #from: number;
  readonly #formatCommand: CommandFormatter;
  readonly #keyboard = new RawKeyboard();
  readonly #detachFinder: DetachFinder;
  readonly #inputSender: InputSender;
  readonly #sizeSync: SizeSync;
  #subscription: Subscription | undefined;
  #outcome: Outcome | undefined;
  #isAtLineStart = true;

  constructor(
    manager: TerminalManager,
    detail: TerminalDetail,
    display: ProgramDisplay,
    { from, detachKey, formatCommand }: FollowOptions,
  ) {
    this.#from = from;
    this.#formatCommand = formatCommand;
    this.#detachFinder = new DetachFinder(detachKey);
    this.#manager = manager;
    this.#id = detail.id;
    this.#display = display;
    this.#sizeSync = new SizeSync(manager, detail.id, detail, () => display.size);
    this.#inputSender = new InputSender(manager, detail.id, {
      before: (text) => this.#sizeSync.beforeTyping(text),
      onIdle: () => this.#keyboard.resume(),
      onError: (error) => this.#onError(error),
    });
  }

  /**
   * Resolves to the exit code and, if `isAsked`, the result. Unless `isKept`, removes the terminal of a program that
   * has ended. Leaves a program that is still running alone.
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
      // As in any pipe, the writer ends when the reader has closed the pipe.
      if (error instanceof StdoutClosed) await this.#tidyUp(isKept);
      throw error;
    } finally {
      letGo();
    }
  }

  async #tell(outcome: Exclude<Outcome, 'removed'>, isKept: boolean): Promise<void> {
    const short = shortId(this.#id);
    if (!('ending' in outcome))
      return printMessage(
        `terminal ${short} keeps running; to attach to it: ${this.#formatCommand(`attach ${short}`)}`,
      );
    if (isUnknownEnd(outcome.ending)) return printMessage(describeLostProgram(this.#id, this.#formatCommand));
    const why = await describeWhyEnded(this.#manager, this.#id);
    if (why !== '') printMessage(`the program has ended: ${describeEnd(outcome.ending)}${why}`);
    await this.#tidyUp(isKept);
  }

  #listen(): () => void {
    this.#display.open();
    this.#keyboard.open({ onText: (text) => this.#onText(text), onEnd: () => this.#onEnd() });
    const letGo = [
      onEndingSignal((signal) => this.#leave({ signal }), ['SIGHUP', 'SIGTERM']),
      onEndingSignal(() => void this.#interrupt(), ['SIGINT']),
    ];
    const onContinue = () => this.#keyboard.setRawAgain();
    const onResize = () => void this.#sizeSync.onOwnResize().catch((error: unknown) => this.#onError(error));
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

  /**
   * Stops following after an error of the input. Ignores the loss of the host process, which the end of the
   * subscription reports.
   */
  #onError(error: unknown): void {
    const isLost = error instanceof TerminalError && error.code === 'HOST_LOST';
    if (!isLost) this.#leave({ error });
  }

  async #follow(): Promise<Outcome> {
    await this.#sizeSync.applyOwn();
    this.#subscription = await this.#manager.subscribe(this.#id, this.#from);
    if (this.#outcome !== undefined) this.#subscription.close();
    for await (const event of this.#subscription) {
      if (event.type === 'output') await this.#display.show(event.bytes);
      else if (event.type === 'gap')
        printMessage(
          `${event.resumeAt - event.offset} bytes of output are missing: they were printed faster than they could be ` +
            'read',
        );
      else if (event.type === 'resize') this.#sizeSync.onApplied(event);
      else if (event.type === 'exit' || event.type === 'end')
        this.#leave(event.type === 'exit' ? { ending: event } : 'removed');
    }
    await this.#display.finish();
    return this.#outcome ?? 'removed';
  }

  #onText(given: string): void {
    if (!this.#keyboard.isTerminal) return this.#type(given);
    const { typed, isLeaving } = this.#detachFinder.take(given);
    this.#type(typed);
    if (isLeaving) void this.#inputSender.done().then(() => this.#leave({ detached: true }));
  }

  #type(text: string): void {
    this.#isAtLineStart = /[\r\n]$/.test(text);
    this.#inputSender.send(text);
    if (this.#inputSender.backlog > MAX_BACKLOG) this.#keyboard.pause();
  }

  /**
   * Handles the end of stdin. If a terminal was hung up, leaves as after SIGHUP. Otherwise types Ctrl-D: twice in the
   * middle of a line, where the first only submits what was typed.
   */
  #onEnd(): void {
    if (this.#keyboard.isTerminal) this.#leave({ signal: 'SIGHUP' });
    else this.#inputSender.send(this.#isAtLineStart ? END_OF_INPUT : END_OF_INPUT + END_OF_INPUT);
  }

  /** Handles SIGINT, which Ctrl-C causes if stdin is not a terminal in raw mode that passes the key on. */
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
      if (error.code !== 'TERMINAL_NOT_FOUND') printMessage(error.message);
    }
  }
}

/** Builds the message about a program that was lost with its host process. */
function describeLostProgram(id: string, formatCommand: CommandFormatter): string {
  const short = shortId(id);
  return (
    `terminal ${short} is lost: its host process has ended, and the program with it; for its output: ` +
    `${formatCommand(`logs ${short}`)}`
  );
}

function exitCodeOf(outcome: Outcome): number {
  if (outcome === 'removed') {
    printMessage('the terminal was removed');
    return FAILED;
  }
  if ('error' in outcome) throw outcome.error;
  if ('detached' in outcome) return OK;
  return 'ending' in outcome ? exitCodeOfProgram(outcome.ending) : exitCodeOfSignal(outcome.signal);
}
