/** Renders a live terminal as a tile: its caption and its last lines. */
import { useEffect, useRef } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { pathOf } from '../routing/route.js';
import { nameOf, plain, wholeName } from '../store/naming.js';
import { stateOf, type Shown } from '../store/state-of.js';
import { inView, now } from '../store/store.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { Line } from '../ui/line.js';

const LAST_LINES = 9;

export const toneOf = ({ kind, isBad }: Shown): string => (kind === 'waiting' ? 'c-wait' : isBad ? 'c-bad' : '');

export function Name({ terminal }: { terminal: OverviewTerminal }) {
  const { namespace, own } = nameOf(terminal);
  return (
    <>
      {namespace !== '' && <span class="ns">{namespace}</span>} {own}
    </>
  );
}

/** Requests the last lines of a terminal only while its tile is in view. */
export function useInView(id: string) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const leave = (): void => {
      inView.value = inView.peek().filter((each) => each !== id);
    };
    const watcher = new IntersectionObserver((entries) => {
      leave();
      if (entries.at(-1)?.isIntersecting) inView.value = [...inView.peek(), id].sort();
    });
    watcher.observe(place.current!);
    return () => {
      watcher.disconnect();
      leave();
    };
  }, [id]);
  return place;
}

export function Tile({ terminal }: { terminal: OverviewTerminal }) {
  const place = useInView(terminal.id);
  const shown = stateOf(terminal, now.value);
  const { lines, rows } = terminal;
  // Full-screen programs send their whole screen, which has more lines.
  const isScreen = lines.length > LAST_LINES;
  return (
    <li ref={place}>
      <a
        class={shown.kind === 'waiting' ? 'tile is-waiting' : 'tile'}
        href={pathOf(terminal.id)}
        aria-label={`${wholeName(terminal)}, ${shown.words}`}
      >
        <Caption {...{ terminal, shown }} />
        <div class="well" aria-hidden="true">
          <pre class={isScreen ? 'mini' : ''}>
            {lines.slice(isScreen ? 0 : -LAST_LINES, isScreen ? rows : undefined).map((line, index) => (
              <span key={index}>
                <Line text={line} />
              </span>
            ))}
          </pre>
        </div>
      </a>
    </li>
  );
}

export function Caption({ terminal, shown }: { terminal: OverviewTerminal; shown: Shown }) {
  const { lastCommand, ports, holder } = terminal;
  return (
    <div class="cap">
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <span class="name cut">
        <Name terminal={terminal} />
      </span>
      <span class={`state ${toneOf(shown)}`}>{shown.words}</span>
      <span class="cmd cut">{plain(lastCommand?.text ?? terminal.title)}</span>
      <span class="by">
        {ports.length > 0 && <span class="mono">:{ports[0]} </span>}
        {holder !== null && (
          <>
            <Icon name="agent" small={false} />
            {plain(holder.name)}
          </>
        )}
      </span>
    </div>
  );
}
