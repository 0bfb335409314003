/**
 * Renders the header of a terminal: its name, state, views, viewers and holder, and the button that takes it over or
 * hands it back.
 */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { openLike } from '../home/rows.js';
import { Name, toneOf } from '../home/tile.js';
import { route } from '../routing/place.js';
import { pathOf, type View } from '../routing/route.js';
import { plain } from '../store/naming.js';
import { stateOf } from '../store/state-of.js';
import { now } from '../store/store.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { handBack, otherViewers, takeOver, type LiveView } from './live-view.js';
import { More } from './more.js';
import { DrawerButton } from './timeline.js';

const WAYS: readonly (readonly [View, string])[] = [
  ['terminal', 'Live'],
  ['history', 'History'],
];

export function Head({ terminal, view }: { terminal: OverviewTerminal; view: LiveView | null }) {
  const shown = stateOf(terminal, now.value);
  return (
    <header class="thead">
      <a class="btn btn-quiet btn-icon only-phone" href="/" aria-label="All terminals">
        <Icon name="left" small={false} />
      </a>
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <h1>
        <Name terminal={terminal} />
      </h1>
      <span class={`hstate nowrap no-phone ${toneOf(shown)}`}>{shown.words}</span>
      <nav class="tabs no-phone" aria-label="Views">
        {WAYS.map(([way, words]) => (
          <a
            key={way}
            href={pathOf(terminal.id, way)}
            {...(route.value.view === way ? { 'aria-current': 'page' as const } : {})}
          >
            {way === 'terminal' && terminal.status !== 'active' ? 'Last screen' : words}
          </a>
        ))}
      </nav>
      <span class="grow" />
      {view !== null && <Watchers view={view} />}
      {terminal.status !== 'active' ? (
        <button class="btn no-phone" onClick={() => void openLike(terminal.id)}>
          Open similar terminal
        </button>
      ) : (
        view !== null && <HoldButton view={view} />
      )}
      {view !== null && <DrawerButton view={view} />}
      <More terminal={terminal} view={view} />
    </header>
  );
}

function Watchers({ view }: { view: LiveView }) {
  const others = otherViewers(view).map(plain).join(', ');
  if (others === '') return null;
  return (
    <span class="hold no-phone watchers" title={others}>
      <Icon name="eye" />
      <span>
        <span class="vh">Also watching: </span>
        {others}
      </span>
    </span>
  );
}

function HoldButton({ view }: { view: LiveView }) {
  const isMine = view.hold.value.since !== null;
  const holder = view.holder.value;
  return (
    <span class={isMine ? 'presence' : 'presence no-phone'}>
      {isMine ? (
        <span class="hold is-you">
          <Icon name="hand" />
          <span class="no-phone">You hold it</span>
          <span class="only-phone">Yours</span>
        </span>
      ) : (
        holder !== null && (
          <span class="hold">
            <Icon name="agent" />
            {plain(holder.name)} holds it
          </span>
        )
      )}
      <button class="btn btn-main" onClick={() => (isMine ? handBack(view) : takeOver(view))}>
        {isMine ? (
          'Hand back'
        ) : (
          <>
            Take over <kbd>t</kbd>
          </>
        )}
      </button>
    </span>
  );
}
