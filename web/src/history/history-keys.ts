/** Handles the keys of an open history, before those of the page: commands, matches, folding and the selection. */
import { dialog } from '../palette/dialogs.js';
import { hasSingleKeys } from '../palette/keys.js';
import { attempt } from '../terminal/more.js';
import { copyOutput } from '../terminal/timeline.js';
import type { Shared } from './lines.js';
import { copyCurl, copyLink, copyText } from './pick.js';
import { isClosed, setFold } from './reading.js';
import { goToHead, moveTo, sectionAtTop } from './scroller.js';
import { keyOf, type Range, type Section } from './sections.js';
import { stepMatch } from './tools.js';

type Acts = Readonly<Record<string, () => void>>;

/** Returns what the keys do now; all others belong to the page. */
function actsOf(shared: Shared): Acts {
  const { reading, finding, scroller } = shared;
  const chosen = reading.chosen.peek();
  return {
    End: () => moveTo(scroller, Infinity),
    j: () => goBy(shared, 1),
    k: () => goBy(shared, -1),
    ']': () => goBy(shared, 1, hasFailed),
    '[': () => goBy(shared, -1, hasFailed),
    e: () => withTop(shared, (section) => setFold(reading, keyOf(section), !isClosed(reading, section))),
    o: () => withTop(shared, ({ command }) => command && attempt(copyOutput(command))),
    ...(finding.pattern.peek() === null ? {} : { n: () => stepMatch(shared, 1), N: () => stepMatch(shared, -1) }),
    ...(chosen === null ? {} : selectionActs(shared, chosen)),
  };
}

function selectionActs({ reading }: Shared, chosen: Range): Acts {
  return {
    l: () => copyLink(chosen),
    y: () => copyText(reading, chosen),
    c: () => copyCurl(reading, chosen),
  };
}

const hasFailed = ({ command }: Section): boolean => (command?.exitCode ?? 0) !== 0;

function withTop({ reading, scroller }: Shared, act: (section: Section) => void): void {
  const section = reading.sections.peek()[sectionAtTop(scroller)];
  if (section !== undefined) act(section);
}

/** Goes to the next or the previous section that fits. */
function goBy({ reading, scroller }: Shared, step: 1 | -1, fits = (_section: Section): boolean => true): void {
  const sections = reading.sections.peek();
  let index = sectionAtTop(scroller) + step;
  while (sections[index] !== undefined && !fits(sections[index]!)) index += step;
  const section = sections[index];
  if (section !== undefined) goToHead(scroller, section);
}

function isTyped({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isField = (target as Element).matches('input:not([type=checkbox]), select, textarea');
  return isField || ctrlKey || metaKey || altKey;
}

export function watchHistoryKeys(shared: Shared): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (isTyped(event) || dialog.peek() !== null || !hasSingleKeys.peek()) return;
    const act = actsOf(shared)[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  // The page's own keys are handled when the event comes back to the window.
  addEventListener('keydown', onKey, { capture: true });
  return () => removeEventListener('keydown', onKey, { capture: true });
}
