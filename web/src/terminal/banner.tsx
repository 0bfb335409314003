/**
 * Renders messages above the terminal: a lost connection, skipped output, how the terminal ended, and what the program
 * wants to copy.
 */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { stateOf } from '../store/state-of.js';
import { copy } from '../ui/copying.js';
import { bytes, count } from '../ui/durations.js';
import type { LiveView } from './live-view.js';

export function Banners({ terminal, view }: { terminal: OverviewTerminal; view: LiveView }) {
  const { state, reason, gap, offered, said } = view;
  const shown = stateOf(terminal, 0);
  const isOver = terminal.status !== 'active';
  return (
    <>
      {state.value === 'lost' && (
        <Banner strong="No connection to the server." isWaiting>
          The terminal goes on without it. Trying again, from byte {count(view.live?.offset ?? 0)}: nothing will be
          missing.
        </Banner>
      )}
      {state.value === 'closed' && !isOver && (
        <Banner strong="This view has ended." isWaiting>
          {reason.value}
        </Banner>
      )}
      {gap.value > 0 && <Banner strong={`${bytes(gap.value)} were skipped`}>and are in the history.</Banner>}
      {isOver && (
        <Banner strong={`${shown.words[0]!.toUpperCase()}${shown.words.slice(1)}.`}>It no longer accepts input.</Banner>
      )}
      {said.value !== '' && <Banner strong={said.value} />}
      {offered.value !== null && <Offer view={view} text={offered.value} />}
    </>
  );
}

function Banner(props: { strong: string; isWaiting?: boolean; children?: preact.ComponentChildren }) {
  return (
    <div class={props.isWaiting ? 'banner banner-wait' : 'banner'} role="status">
      <div class="grow">
        <b class="strong">{props.strong}</b> <span class="sub">{props.children}</span>
      </div>
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
