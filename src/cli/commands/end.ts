/** `tenacitty kill` and `tenacitty rm`: end programs and remove terminals. */
import { labelsOf } from '../../contract/labels.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalSummary } from '../../contract/terminal.js';
import { releaseHosts } from '../../engine.js';
import type { ParsedCall } from '../command.js';
import { actOnEach } from '../each-terminal.js';
import type { SelectedTerminal } from '../each-terminal.js';
import { OK } from '../exit-code.js';
import { usageError } from '../parse.js';
import { reportProblems } from '../problems.js';
import { isByLabel, isRunning, noMatchError } from '../selection.js';
import type { Selection } from '../selection.js';
import { printMessage } from '../stdout.js';
import type { KILL_FLAGS, REMOVE_FLAGS } from '../flags/reach.js';
import { pickTerminal, shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

/** Which terminals to act on. */
interface Wanted {
  readonly ids: readonly string[];
  readonly labels: readonly string[];
  /** The kind of terminals that labels or a flag can select. */
  readonly kind: Kind;
}

interface Kind {
  /** Completes the sentence "no terminal …". */
  readonly inWords: string;
  has(terminal: TerminalSummary): boolean;
}

const RUNNING: Kind = { inWords: 'is running', has: isRunning };
const ENDED: Kind = { inWords: 'has ended', has: (terminal) => !isRunning(terminal) };
const ANY: Kind = { inWords: 'exists', has: () => true };

export function kill(call: ParsedCall<typeof KILL_FLAGS>): Promise<number> {
  const { flags, settings } = call;
  const wanted = wantedBy('kill', call, flags.all && '--all', RUNNING);
  const request = { signal: flags.signal, ...(flags.grace === undefined ? {} : { graceMs: flags.grace }) };
  return withEngine(settings, async (manager, options) => {
    const code = await endEach(manager, wanted, async ({ id, status }) => {
      await manager.kill(id, request);
      printMessage(`terminal ${shortId(id)} ${status === 'active' ? 'was ended' : 'had already ended'}`);
    });
    if (flags.all) await releaseHosts(options);
    return code;
  });
}

export function remove(call: ParsedCall<typeof REMOVE_FLAGS>): Promise<number> {
  const { flags, settings } = call;
  const wanted = wantedBy('rm', call, flags.ended && '--ended', flags.ended ? ENDED : ANY);
  return withEngine(settings, async (manager) =>
    endEach(manager, wanted, async ({ id }) => {
      await manager.remove(id);
      printMessage(`terminal ${shortId(id)} was removed`);
    }),
  );
}

/**
 * Returns what the call selects: the named terminals, those with the labels, or all of a kind. Ids cannot be combined
 * with the flag for all, and a selection is required.
 */
function wantedBy(name: string, call: Selection, allFlag: string | false, kind: Kind): Wanted {
  const ids = call.operands;
  if (allFlag && ids.length > 0) throw usageError({ name }, `Give either IDs or ${allFlag}.`);
  if (!allFlag && ids.length === 0 && !isByLabel(call)) throw usageError({ name }, 'ID is missing.');
  return { ids, labels: call.flags.label, kind };
}

/** Acts on each terminal, and reports hosts that could not be reached. */
async function endEach(
  manager: TerminalManager,
  wanted: Wanted,
  act: (terminal: TerminalSummary) => Promise<void>,
): Promise<number> {
  const chosen = await chosenBy(manager, wanted);
  const reach = await reportProblems(manager);
  if (chosen.length === 0 && reach === OK) printMessage(`no terminal ${wanted.kind.inWords}`);
  const code = await actOnEach(chosen, act);
  return code === OK ? reach : code;
}

async function chosenBy(manager: TerminalManager, { ids, labels, kind }: Wanted): Promise<readonly SelectedTerminal[]> {
  const terminals = await manager.list(labels.length > 0 ? { labels: labelsOf(labels) } : {});
  if (ids.length > 0) return [...new Set(ids.map((id) => pickOrError(terminals, id)))];
  const ofKind = terminals.filter((terminal) => kind.has(terminal));
  return ofKind.length === 0 && labels.length > 0 ? [noMatchError(labels, kind.inWords, terminals)] : ofKind;
}

/**
 * Returns the terminal, or the error to report, so that a mistyped id does not prevent the command from acting on the
 * others.
 */
function pickOrError(terminals: readonly TerminalSummary[], id: string): SelectedTerminal {
  try {
    return pickTerminal(terminals, id);
  } catch (error) {
    return error as Error;
  }
}
