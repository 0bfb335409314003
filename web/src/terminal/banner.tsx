/**
 * Renders messages above the terminal: a lost connection, skipped output, how the terminal ended, and what the program
 * wants to copy.
 */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { stateOf } from '../store/state-of.js';
import { now } from '../store/store.js';
import { copy } from '../ui/copying.js';
import { bytes, count } from '../ui/durations.js';
import { Icon } from '../ui/icon.js';
import type { LiveView } from './live-view.js';

export function Banners({ terminal, view }: { terminal: OverviewTerminal; view: LiveView }) {
  const { state, reason, gap, offered, said } = view;
  const shown = stateOf(terminal, 0);
  const isOver = terminal.status !== 'active';
  return (
    <>
      {state.value === 'lost' && <Lost view={view} />}
      {state.value === 'closed' && !isOver && (
        <Banner strong="This view has ended." isWaiting>
          {reason.value}
        </Banner>
      )}
      {gap.value > 0 && (
        <Banner strong={`${bytes(gap.value)} were skipped`} onClose={() => (gap.value = 0)}>
          and are in the history.
        </Banner>
      )}
      {isOver && (
        <Banner strong={`${shown.words[0]!.toUpperCase()}${shown.words.slice(1)}.`}>It no longer accepts input.</Banner>
      )}
      {said.value !== '' && <Banner strong={said.value} onClose={() => (said.value = '')} />}
      {offered.value !== null && <Offer view={view} text={offered.value} />}
    </>
  );
}

interface BannerProps {
  readonly strong: string;
  readonly isWaiting?: boolean;
  readonly onClose?: () => void;
  readonly children?: preact.ComponentChildren;
}

function Banner({ strong, isWaiting, onClose, children }: BannerProps) {
  return (
    <div class={isWaiting ? 'banner banner-wait' : 'banner'}>
      <div class="grow" role="status">
        <b class="strong">{strong}</b> <span class="sub">{children}</span>
      </div>
      {onClose && (
        <button class="btn btn-quiet btn-icon" aria-label="Close this message" onClick={onClose}>
          <Icon name="x" />
        </button>
      )}
    </div>
  );
}

/** Counts down to the next attempt. The countdown is not announced. */
function Lost({ view }: { view: LiveView }) {
  const { live } = view;
  const at = live?.retryAt ?? null;
  // Read in any case, so that this is rendered every second: `retryAt` is not a signal.
  const time = now.value;
  const seconds = at === null ? 0 : Math.ceil((at - time) / 1000);
  return (
    <div class="banner banner-wait">
      <div class="grow">
        <b class="strong" role="status">
          No connection to the server.
        </b>{' '}
        <span class="sub">
          The terminal goes on without it. Trying again{seconds > 0 ? ` in ${seconds} s` : ''}, from byte{' '}
          {count(live?.offset ?? 0)}: nothing will be missing.
        </span>
      </div>
      <button class="btn" onClick={() => live?.retry()}>
        Try now
      </button>
    </div>
  );
}

/** Asks whether to copy the program's text. The clipboard changes only if the user agrees. */
function Offer({ view, text }: { view: LiveView; text: string }) {
  const end = (): void => {
    view.offered.value = null;
  };
  return (
    <div class="banner" role="status">
      <div class="grow">The program wants to copy {count(text.length)} characters.</div>
      <button class="btn" onClick={() => void copy(text).then(end)}>
        Copy them
      </button>
      <button class="btn btn-quiet" onClick={end}>
        No
      </button>
    </div>
  );
}
