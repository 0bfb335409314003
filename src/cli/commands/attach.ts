/** `tenacitty attach`: a person takes up a terminal with their own. */
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';
import { Attachment } from '../attach/attachment.js';
import type { Outcome } from '../attach/attachment.js';
import { DEFAULT_DETACH_KEY } from '../attach/detach-key.js';
import type { DetachKey } from '../attach/detach-key.js';
import { Display } from '../attach/display.js';
import { Keyboard } from '../attach/keyboard.js';
import { onLeavingSignal } from '../attach/signals.js';
import { SizeKeeper } from '../attach/size-keeper.js';
import { Typist } from '../attach/typist.js';
import type { Call } from '../command.js';
import { endingInWords, exitCodeOfSignal, FAILED, OK, reasonInWords } from '../exit-code.js';
import { say } from '../stdout.js';
import type { ATTACH_FLAGS } from '../table/reach.js';
import { findTerminal, shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

/** Set in every terminal, see environment.ts of the engine. */
const OWN_TERMINAL = process.env['TENACITTY_TERMINAL_ID'];
/** Where nothing is typed, it leaves too: whoever presses it wants to. */
const CTRL_C = '\x03';

interface Watch {
  readonly manager: TerminalManager;
  readonly detail: TerminalDetail;
  readonly isReadOnly: boolean;
  readonly detachKey: DetachKey;
}

export function attach({ operands: [given], flags, settings }: Call<typeof ATTACH_FLAGS>): Promise<number> {
  checkTerminals(flags.readOnly);
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    if (id === OWN_TERMINAL) throw new TerminalError('INVALID_INPUT', 'this is the terminal you are in.');
    const detail = await manager.get(id);
    if (detail.status !== 'active') return tellEnded(detail);
    const detachKey = flags.detachKey ?? DEFAULT_DETACH_KEY;
    return tell(await watch({ manager, detail, isReadOnly: flags.readOnly, detachKey }), id);
  });
}

function checkTerminals(isReadOnly: boolean): void {
  if (process.stdout.isTTY && (process.stdin.isTTY || isReadOnly)) return;
  const message = 'attach needs a terminal to show and to type; elsewhere use tenacitty logs -f and tenacitty send.';
  throw new TerminalError('INVALID_INPUT', message);
}

/** Resolves when the person has left or the program has ended; their terminal is as it was then. */
async function watch({ manager, detail, isReadOnly, detachKey }: Watch): Promise<Outcome> {
  const { id, viewers } = detail;
  const [display, keyboard] = [new Display(), new Keyboard()];
  const sizes = new SizeKeeper(manager, id, detail, () => display.size);
  const attachment = new Attachment(manager, id, display, sizes);
  const fail = (error: unknown) => attachment.leave({ kind: 'failed', error });
  const typist = new Typist(manager, id, {
    before: (text) => sizes.beforeTyping(text),
    onError: fail,
    onStall: ({ message }) => sayInRaw(`${message}; what you type is kept until it does; ${detachKey.label} leaves`),
    onGoOn: () => attachment.repaint(),
  });
  const letGo = onLeavingSignal((signal) => attachment.leave({ kind: 'signalled', signal }));
  const onContinue = () => {
    keyboard.setRawAgain();
    attachment.repaint();
  };
  const onResize = () => void sizes.onOurs().catch(fail);

  const how = `${isReadOnly ? 'watching' : 'attached to'} terminal ${shortId(id)}; ${detachKey.label} leaves`;
  say(how);
  // The line goes up with what was on the screen; the window's title stays in sight.
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
    if (typist.untyped > 0) sayInRaw(`not sent, because the terminal does not answer: ${typist.untyped} characters`);
  }
}

/** On a line of its own, wherever the cursor is, in a terminal that makes no new lines of line feeds. */
function sayInRaw(line: string): void {
  process.stdout.write('\r\n');
  say(line);
  process.stdout.write('\r');
}

function tellEnded({ id, status, exitCode, signal, endedBy }: TerminalDetail): number {
  const terminal = `terminal ${shortId(id)}`;
  if (status === 'lost') {
    say(
      `${terminal} is lost; its history: tenacitty logs ${shortId(id)}; one like it: tenacitty new --like ${shortId(id)}`,
    );
    return FAILED;
  }
  const how = endingInWords({ exitCode, signal }) + (endedBy === null ? '' : reasonInWords(endedBy));
  say(`${terminal} has ended already: ${how}; its history: tenacitty logs ${shortId(id)}`);
  return OK;
}

/** On a line of its own, below what is left of the program on the screen. */
function tell(outcome: Outcome, id: string): number {
  if (outcome.kind === 'failed') throw outcome.error;
  process.stdout.write('\r\n');
  const terminal = `terminal ${shortId(id)}`;
  if (outcome.kind === 'ended') say(`the program has ended: ${endingInWords(outcome.ending)}`);
  else if (outcome.kind === 'removed') say(`${terminal} was removed`);
  else say(`left ${terminal}, which goes on; back: tenacitty attach ${shortId(id)}`);
  return outcome.kind === 'signalled' ? exitCodeOfSignal(outcome.signal) : OK;
}
