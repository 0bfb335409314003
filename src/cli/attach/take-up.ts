/** Attaches a person's terminal to a terminal and reports the outcome. Independent of how the terminal was chosen. */
import { commandName } from '../../command-name.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';
import { Attachment } from './attachment.js';
import type { Outcome } from './attachment.js';
import { DEFAULT_DETACH_KEY } from './detach-key.js';
import type { DetachKey } from './detach-key.js';
import { Display } from './display.js';
import { Keyboard } from './keyboard.js';
import { onLeavingSignal } from './signals.js';
import { SizeKeeper } from './size-keeper.js';
import { Typist } from './typist.js';
import { endingInWords, exitCodeOfSignal, FAILED, OK, reasonInWords } from '../exit-code.js';
import { say } from '../stdout.js';
import { called, shortId } from '../terminal-id.js';
import type { Typed } from '../typed.js';
import { whyEnded } from '../why-ended.js';

/** Set in every terminal; see the engine's environment.ts. */
export const OWN_TERMINAL = process.env['TENACITTY_TERMINAL_ID'];
/**
 * Detaches too when the terminal is read-only: it would have no other effect, and a person who presses it wants to
 * leave.
 */
const CTRL_C = '\x03';

interface Watch {
  readonly manager: TerminalManager;
  readonly detail: TerminalDetail;
  readonly isReadOnly: boolean;
  readonly detachKey: DetachKey;
}

/** Options for attaching. */
export interface TakingUp {
  readonly isReadOnly: boolean;
  readonly detachKey: DetachKey | undefined;
  readonly typed: Typed;
}

/** Resolves with the exit code when the person has detached or the program has ended. */
export async function takeUp(manager: TerminalManager, id: string, how: TakingUp): Promise<number> {
  if (id === OWN_TERMINAL) throw new TerminalError('INVALID_INPUT', 'A terminal cannot be attached to itself.');
  const detail = await manager.get(id);
  if (detail.status !== 'active') return tellEnded(detail, how.typed);
  const { isReadOnly, detachKey = DEFAULT_DETACH_KEY } = how;
  return tell(await watch({ manager, detail, isReadOnly, detachKey }), manager, id, how.typed);
}

/** Call before anything else is done. */
export function checkTerminals(isReadOnly = false): void {
  if (process.stdout.isTTY && (process.stdin.isTTY || isReadOnly)) return;
  const name = commandName();
  const message = `attach needs a terminal for stdin and stdout; without one use ${name} logs -f and ${name} send.`;
  throw new TerminalError('INVALID_INPUT', message);
}

/** Resolves when the person has detached or the program has ended and their terminal is restored. */
async function watch({ manager, detail, isReadOnly, detachKey }: Watch): Promise<Outcome> {
  const { id, viewers } = detail;
  const [display, keyboard] = [new Display(), new Keyboard()];
  const sizes = new SizeKeeper(manager, id, detail, () => display.size);
  const attachment = new Attachment(manager, id, display, sizes);
  const fail = (error: unknown) => attachment.leave({ kind: 'failed', error });
  const typist = new Typist(manager, id, {
    before: (text) => sizes.beforeTyping(text),
    onError: fail,
    onStall: ({ message }) => sayInRaw(`${message}; your input is kept until it does; ${detachKey.label} detaches`),
    onGoOn: () => attachment.repaint(),
  });
  const letGo = onLeavingSignal((signal) => attachment.leave({ kind: 'signalled', signal }));
  const onContinue = () => {
    keyboard.setRawAgain();
    attachment.repaint();
  };
  const onResize = () => void sizes.onOurs().catch(fail);

  const how = `${isReadOnly ? 'watching' : 'attached to'} terminal ${called(detail)}; ${detachKey.label} detaches`;
  say(how);
  // This line scrolls up with the previous screen contents; the window title stays visible.
  display.open(how);
  keyboard.open({
    onText: (text) => takeKeys(text),
    onEnd: () => attachment.leave({ kind: 'detached' }),
  });
  process.on('SIGCONT', onContinue);
  if (!isReadOnly) process.stdout.on('resize', onResize);

  function takeKeys(text: string): void {
    const at = text.search(detachKey.pattern);
    const isLeaving = at >= 0 || (isReadOnly && text.includes(CTRL_C));
    if (!isReadOnly) typist.type(at < 0 ? text : text.slice(0, at));
    if (isLeaving) void typist.done().then(() => attachment.leave({ kind: 'detached' }));
  }

  try {
    if (viewers === 0 && !isReadOnly) await sizes.take();
    return await attachment.follow();
  } finally {
    process.off('SIGCONT', onContinue);
    process.stdout.off('resize', onResize);
    letGo();
    display.restore();
    keyboard.close();
    if (typist.untyped > 0)
      sayInRaw(`${typist.untyped} characters were not sent, because the terminal does not answer`);
  }
}

/** Prints a line of its own wherever the cursor is, in a terminal that does not turn LF into CR LF. */
function sayInRaw(line: string): void {
  process.stdout.write('\r\n');
  say(line);
  process.stdout.write('\r');
}

function tellEnded({ id, status, exitCode, signal, endedBy }: TerminalDetail, typed: Typed): number {
  const terminal = `terminal ${shortId(id)}`;
  if (status === 'lost') {
    const [logs, again] = [typed(`logs ${shortId(id)}`), typed(`new --like ${shortId(id)}`)];
    say(`${terminal} is lost; for its history: ${logs}; to start it again: ${again}`);
    return FAILED;
  }
  const how = endingInWords({ exitCode, signal }) + (endedBy === null ? '' : reasonInWords(endedBy));
  say(`${terminal} has already ended: ${how}; for its history: ${typed(`logs ${shortId(id)}`)}`);
  return OK;
}

/** Reports the outcome on a line of its own, below what the program left on the screen. */
async function tell(outcome: Outcome, manager: TerminalManager, id: string, typed: Typed): Promise<number> {
  if (outcome.kind === 'failed') throw outcome.error;
  process.stdout.write('\r\n');
  const terminal = `terminal ${shortId(id)}`;
  if (outcome.kind === 'ended')
    say(`the program has ended: ${endingInWords(outcome.ending)}${await whyEnded(manager, id)}`);
  else if (outcome.kind === 'removed') say(`${terminal} was removed`);
  else say(`detached from ${terminal}, which keeps running; to attach again: ${typed(`attach ${shortId(id)}`)}`);
  return outcome.kind === 'signalled' ? exitCodeOfSignal(outcome.signal) : OK;
}
