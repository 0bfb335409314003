/** Renders an open terminal: the list next to it, its header, screen, dock and timeline. */
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { Dock } from '../dock/dock.js';
import { PhoneFoot } from '../phone/foot.js';
import { Lines } from '../phone/lines.js';
import { WayTabs } from '../phone/way-tabs.js';
import { wayOf } from '../phone/ways.js';
import { fleet, isKnown } from '../store/store.js';
import { useHoldAnnounced } from '../ui/announcing.js';
import { Banners } from './banner.js';
import { Head } from './head.js';
import { openLive, type LiveView } from './live-view.js';
import { Screen } from './screen.js';
import { Side } from './side.js';
import { Status } from './status.js';
import { Stick } from './stick.js';
import { chosen, isDrawerOpen, Timeline } from './timeline.js';

/** The terminal that is open, for the page's keys. */
export const openView = signal<LiveView | null>(null);

export function TerminalPage({ id }: { id: string }) {
  const terminal = fleet.value.get(id);
  return (
    <div class="view across term is-on">
      <Side />
      {terminal === undefined ? <Unknown /> : <Stage key={id} terminal={terminal} />}
    </div>
  );
}

export function Unknown() {
  return (
    <main class="stage" id="main" tabIndex={-1}>
      {isKnown.value && (
        <div class="hollow">
          <h1>Terminal not found</h1>
          <p>
            It was removed, or you do not have access to it. <a href="/">All terminals</a>
          </p>
        </div>
      )}
    </main>
  );
}

function Stage({ terminal }: { terminal: OverviewTerminal }) {
  const view = useMemo(() => openLive(terminal.id), [terminal.id]);
  useEffect(() => {
    openView.value = view;
    chosen.value = null;
    isDrawerOpen.value = false;
    return () => {
      openView.value = null;
    };
  }, [view]);
  useHoldAnnounced(terminal, view.hold.value.since !== null);
  return (
    <main class="stage" id="main" tabIndex={-1}>
      <Head {...{ terminal, view }} />
      <Banners {...{ terminal, view }} />
      <WayTabs {...{ terminal, view }} />
      <div class={`tbody shows-${wayOf(terminal.id)}`}>
        <section class={view.hold.value.since === null ? 'live' : 'live is-you'} aria-label="Terminal">
          <Lines view={view} />
          {wayOf(terminal.id) === 'screen' && <Stick view={view} />}
          <Screen view={view} />
          <Dock terminal={terminal} />
          <PhoneFoot {...{ terminal, view }} />
          <Status {...{ terminal, view }} />
        </section>
        <Timeline {...{ terminal, view }} />
      </div>
    </main>
  );
}
