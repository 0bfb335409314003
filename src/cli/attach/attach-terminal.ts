/** Attaches a person's own terminal to a terminal, and reports the outcome. */
import { permitted } from '../../access/permitted-manager.js';
import { KeptHold } from '../../calls/kept-hold.js';
import { commandName } from '../../command-name.js';
import type { Holder } from '../../contract/control.js';
import type { TerminalManager } from '../../contract/manager.js';
import { MAX_PAGE_BYTES, MAX_PAGE_LINES, NO_OUTPUT } from '../../contract/output.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { roundedDuration } from '../../duration.js';
import { TerminalError } from '../../errors.js';
import { printable } from '../../printable.js';
import { Attachment } from './attachment.js';
import type { AttachOutcome } from './attachment.js';
import { DetachFinder } from './detach-key.js';
import type { DetachKey } from './detach-key.js';
import { Display } from './display.js';
import { RawKeyboard } from './raw-keyboard.js';
import { onEndingSignal } from './signals.js';
import { SizeSync } from './size-sync.js';
import { InputSender } from './input-sender.js';
import { describeEnd, exitCodeOfSignal, FAILED, OK, describeEndReason } from '../exit-code.js';
import { printMessage } from '../stdout.js';
import { describeTerminal, shortId } from '../terminal-id.js';
import type { CommandFormatter } from '../command-formatter.js';
import { describeWhyEnded } from '../why-ended.js';

/** Id of the terminal that this process runs in, if any; see `launch/environment.ts`. */
export const OWN_TERMINAL = process.env['TENACITTY_TERMINAL_ID'];
/**
 * In a read-only attachment, also detaches: the key would have no other effect, and a person who presses it wants to
 * leave.
 */
const CTRL_C = '\x03';

/** As many lines as terminals usually keep above the screen. */
export const DEFAULT_SCROLLBACK = 2000;

interface AttachContext {
  readonly manager: TerminalManager;
  readonly detail: TerminalDetail;
  readonly isReadOnly: boolean;
  readonly detachKey: DetachKey;
  readonly scrollback: number;
}

const REFUSED = 'your input is rejected until they hand it back or you attach with --take';

/** Options for attaching. */
export interface AttachOptions {
  readonly isReadOnly: boolean;
  /** Whether to hold the terminal while attached. */
  readonly isTaking: boolean;
  readonly detachKey: DetachKey;
  /** Number of lines above the screen to show first. */
  readonly scrollback: number;
  readonly formatCommand: CommandFormatter;
}

/** Resolves with the exit code when the person has detached or the program has ended. */
export async function attachTerminal(manager: TerminalManager, id: string, how: AttachOptions): Promise<number> {
  if (id === OWN_TERMINAL) throw new TerminalError('INVALID_INPUT', 'A terminal cannot be attached to itself.');
  const detail = await manager.get(id);
  if (detail.status !== 'active') return reportEnded(detail, how.formatCommand);
  const { isReadOnly, isTaking, detachKey, scrollback } = how;
  const hold = isTaking ? await takeHold(manager, id) : null;
  const context = { manager: hold?.manager ?? manager, detail, isReadOnly, detachKey, scrollback };
  if (detail.holder !== null && !isTaking) reportHolder(detail.holder, isReadOnly);
  try {
    return reportOutcome(await runAttachment(context), manager, id, how.formatCommand);
  } finally {
    await hold?.release();
  }
}

interface AttachedHold {
  /** The manager, which makes its calls as the holder. */
  readonly manager: TerminalManager;
  /** Hands the terminal back, unless another caller has taken it or it has ended. */
  release(): Promise<void>;
}

/** Takes the terminal. @throws `TERMINAL_INACTIVE` if the program has ended. */
async function takeHold(manager: TerminalManager, id: string): Promise<AttachedHold> {
  const left = new AbortController();
  const kept = new KeptHold(manager, id, left.signal);
  await kept.control({ action: 'take' });
  return {
    manager: permitted(manager, { role: 'owner', hold: kept.token }),
    async release() {
      await kept.control({ action: 'release' }).catch(() => {});
      left.abort();
    },
  };
}

function describeHolder({ name, since }: NonNullable<Holder>): string {
  return `${printable(name)} has held this terminal for ${roundedDuration(Date.now() - Date.parse(since))}`;
}

function reportHolder(holder: NonNullable<Holder>, isReadOnly: boolean): void {
  printMessage(isReadOnly ? describeHolder(holder) : `${describeHolder(holder)}; ${REFUSED}`);
}

/**
 * Checks that stdin and stdout allow attaching. Call this before anything else. @throws `INVALID_INPUT` if they do not.
 */
export function checkTerminals(isReadOnly = false): void {
  if (process.stdout.isTTY && (process.stdin.isTTY || isReadOnly)) return;
  const name = commandName();
  const message = `attach needs a terminal for stdin and stdout; without one use ${name} logs -f and ${name} send.`;
  throw new TerminalError('INVALID_INPUT', message);
}

/** Resolves when the person has detached or the program has ended, and the person's own terminal has been restored. */
async function runAttachment(context: AttachContext): Promise<AttachOutcome> {
  const { manager, detail, isReadOnly, detachKey, scrollback } = context;
  const { id, viewers } = detail;
  const finder = new DetachFinder(detachKey);
  const leaving = detachKey.label === '' ? 'no key detaches' : `${detachKey.label} detaches`;
  const [display, keyboard] = [new Display(), new RawKeyboard()];
  const sizeSync = new SizeSync(manager, id, detail, () => display.size);
  const refusal = new HeldRefusal(() => attachment.repaint());
  const attachment: Attachment = new Attachment(manager, id, display, {
    onResized: (size) => sizeSync.onApplied(size),
    onHolder: (holder) => refusal.holderChanged(holder),
  });
  const fail = (error: unknown) => attachment.leave({ kind: 'failed', error });
  const inputSender = new InputSender(manager, id, {
    before: (text) => sizeSync.beforeTyping(text),
    onError: fail,
    onStall: ({ message }) => sayInRawMode(`${message}; your input is kept until it does; ${leaving}`),
    onResume: () => attachment.repaint(),
    onHeld: (holder) => refusal.report(holder),
  });
  const letGo = onEndingSignal((signal) => attachment.leave({ kind: 'signalled', signal }));
  const onContinue = () => {
    keyboard.setRawAgain();
    attachment.repaint();
  };
  const onResize = () => void sizeSync.onOwnResize().catch(fail);

  const how = `${isReadOnly ? 'watching' : 'attached to'} terminal ${describeTerminal(detail)}; ${leaving}`;
  printMessage(how);
  // The printed line scrolls up with the previous screen contents, but the window title stays visible.
  display.open(how);
  keyboard.open({
    onText: (text) => takeKeys(text),
    onEnd: () => attachment.leave({ kind: 'detached' }),
  });
  process.on('SIGCONT', onContinue);
  if (!isReadOnly) process.stdout.on('resize', onResize);

  function takeKeys(text: string): void {
    const { typed, isLeaving } = finder.take(text);
    if (!isReadOnly) inputSender.send(typed);
    if (isLeaving || (isReadOnly && text.includes(CTRL_C)))
      void inputSender.done().then(() => attachment.leave({ kind: 'detached' }));
  }

  try {
    if (viewers === 0 && !isReadOnly) await sizeSync.applyOwn();
    await display.showAbove(await linesAbove(manager, id, scrollback));
    return await attachment.follow();
  } finally {
    process.off('SIGCONT', onContinue);
    process.stdout.off('resize', onResize);
    letGo();
    display.restore();
    keyboard.close();
    if (inputSender.unsentLength > 0)
      sayInRawMode(`${inputSender.unsentLength} characters were not sent, because the terminal does not respond`);
  }
}

/** Returns the last lines that have left the screen, with colours. */
async function linesAbove(manager: TerminalManager, id: string, count: number): Promise<string[]> {
  const { mutableFrom } = await manager.read(id, NO_OUTPUT);
  const maxLines = Math.min(count, mutableFrom, MAX_PAGE_LINES);
  if (maxLines === 0) return [];
  const place = { since: mutableFrom - maxLines, maxLines, maxBytes: MAX_PAGE_BYTES } as const;
  const { output } = await manager.read(id, { ...place, mode: 'full', format: 'ansi' });
  return output.split('\n').slice(0, maxLines);
}

/**
 * Reports that input is rejected, once per hold, and repaints the screen over the report when the terminal is handed
 * back.
 */
class HeldRefusal {
  readonly #repaint: () => void;
  #isReported = false;

  constructor(repaint: () => void) {
    this.#repaint = repaint;
  }

  report(holder: NonNullable<Holder>): void {
    if (!this.#isReported) sayInRawMode(`${describeHolder(holder)}; ${REFUSED}`);
    this.#isReported = true;
  }

  holderChanged(holder: Holder): void {
    if (this.#isReported && holder === null) this.#repaint();
    this.#isReported = false;
  }
}

/** Prints a line of its own, wherever the cursor is, on a terminal that does not turn LF into CR LF. */
function sayInRawMode(line: string): void {
  process.stdout.write('\r\n');
  printMessage(line);
  process.stdout.write('\r');
}

function reportEnded(
  { id, status, exitCode, signal, endedBy }: TerminalDetail,
  formatCommand: CommandFormatter,
): number {
  const terminal = `terminal ${shortId(id)}`;
  if (status === 'lost') {
    const [logs, again] = [formatCommand(`logs ${shortId(id)}`), formatCommand(`new --like ${shortId(id)}`)];
    printMessage(`${terminal} is lost; for its history: ${logs}; to start it again: ${again}`);
    return FAILED;
  }
  const how = describeEnd({ exitCode, signal }) + (endedBy === null ? '' : describeEndReason(endedBy));
  printMessage(`${terminal} has already ended: ${how}; for its history: ${formatCommand(`logs ${shortId(id)}`)}`);
  return OK;
}

/** Reports the outcome on a line of its own, below what the program left on the screen. */
async function reportOutcome(
  outcome: AttachOutcome,
  manager: TerminalManager,
  id: string,
  formatCommand: CommandFormatter,
): Promise<number> {
  if (outcome.kind === 'failed') throw outcome.error;
  process.stdout.write('\r\n');
  const terminal = `terminal ${shortId(id)}`;
  if (outcome.kind === 'ended')
    printMessage(`the program has ended: ${describeEnd(outcome.ending)}${await describeWhyEnded(manager, id)}`);
  else if (outcome.kind === 'removed') printMessage(`${terminal} was removed`);
  else
    printMessage(
      `detached from ${terminal}, which keeps running; to attach again: ${formatCommand(`attach ${shortId(id)}`)}`,
    );
  return outcome.kind === 'signalled' ? exitCodeOfSignal(outcome.signal) : OK;
}
