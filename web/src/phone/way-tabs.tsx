/** Renders the views of a terminal on a phone, and its state. */
import { useEffect } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { toneOf } from '../home/tile.js';
import { route } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { stateOf } from '../store/state-of.js';
import { now } from '../store/store.js';
import type { LiveView } from '../terminal/live-view.js';
import { count } from '../ui/durations.js';
import { StateGlyph } from '../ui/icon.js';
import { chooseWay, noteFullScreen, wayOf, type Way } from './ways.js';
import { isPhone } from './width.js';

const WAYS: readonly (readonly [Way, string])[] = [
  ['lines', 'Lines'],
  ['screen', 'Screen'],
  ['commands', 'Commands'],
];

/** Notes while a full-screen program is running. */
function useFullScreen(view: LiveView | null): void {
  const isConnected = view !== null && view.state.value !== 'connecting';
  useEffect(() => {
    const buffers = isConnected ? view?.emulator?.terminal.buffer : undefined;
    if (view === null || buffers === undefined) return;
    const look = (): void => noteFullScreen(view.id, buffers.active.type === 'alternate');
    look();
    const watch = buffers.onBufferChange(look);
    return () => {
      watch.dispose();
      noteFullScreen(view.id, false);
    };
  }, [view, isConnected]);
}

/** @param view - Null in the history. */
export function WayTabs({ terminal, view }: { terminal: OverviewTerminal; view: LiveView | null }) {
  useFullScreen(view);
  if (!isPhone.value) return null;
  const { id } = terminal;
  const current = view === null ? 'history' : wayOf(id);
  const choose = (event: MouseEvent, way: Way): void => {
    chooseWay(id, way);
    // The link leads back from the history; within the terminal, the address stays.
    if (view !== null) event.preventDefault();
  };
  return (
    <nav class="ptabs only-phone" aria-label="Views">
      <div class="seg">
        {WAYS.map(([way, words]) => (
          <a key={way} href={pathOf(id)} onClick={(event) => choose(event, way)} {...currentIf(way === current)}>
            {words}
            {way === 'commands' && view !== null && <> {count(view.commands.value.length)}</>}
          </a>
        ))}
        <a href={pathOf(id, 'history')} {...currentIf(route.value.view === 'history')}>
          History
        </a>
      </div>
      <span class="grow" />
      <State terminal={terminal} />
    </nav>
  );
}

const currentIf = (isCurrent: boolean) => (isCurrent ? { 'aria-current': 'page' as const } : {});

function State({ terminal }: { terminal: OverviewTerminal }) {
  const shown = stateOf(terminal, now.value);
  return (
    <span class="pstate cut" title={shown.words}>
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <span class={`cut ${toneOf(shown)}`}>
        {shown.words.replace(/^(running|waiting for an?) /, '').split(/ · |, |: /)[0]}
      </span>
    </span>
  );
}
