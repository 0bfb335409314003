/** Renders a live terminal as a tile: its caption and its last lines. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { pathOf } from '../routing/route.js';
import { nameOf, plain, wholeName } from '../store/naming.js';
import { stateOf, type Shown } from '../store/state-of.js';
import { isUnseen } from '../store/unseen.js';
import { now } from '../store/store.js';
import { seen } from '../store/seen.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { Line } from '../ui/line.js';
import { useInView } from './in-view.js';
import { MINI_LEAD, miniSizeFor } from './mini-size.js';

const LAST_LINES = 9;
/** More ports are only counted. */
const MAX_PORTS = 2;

export const toneOf = ({ kind, isBad }: Shown): string => (kind === 'waiting' ? 'c-wait' : isBad ? 'c-bad' : '');

export function Name({ terminal }: { terminal: OverviewTerminal }) {
  const { namespace, own } = nameOf(terminal);
  return (
    <>
      {namespace !== '' && <span class="ns">{namespace}</span>} {own}
    </>
  );
}

/** Returns whether the last lines are the screen of a full-screen program, which has more lines. */
export const isScreen = ({ lines }: OverviewTerminal): boolean => lines.length > LAST_LINES;

export function Unseen({ terminal }: { terminal: OverviewTerminal }) {
  if (!isUnseen(terminal, seen.value[terminal.id])) return null;
  return (
    <b class="unseen" title="Changed since you last looked">
      <span class="vh">changed since you last looked</span>
    </b>
  );
}

/** Renders the ports that the terminal's programs listen on, and who holds it. */
export function By({ terminal: { ports, holder } }: { terminal: OverviewTerminal }) {
  const listed = ports.slice(0, MAX_PORTS).map((port) => `:${port}`);
  const more = ports.length - listed.length;
  return (
    <span class="by">
      {listed.length > 0 && (
        <span class="mono" title={`Listening on ${ports.join(', ')}`}>
          {listed.join(' ')} {more > 0 && `+${more} `}
        </span>
      )}
      {holder !== null && (
        <>
          <Icon name="agent" small={false} />
          {plain(holder.name)}
        </>
      )}
    </span>
  );
}

export function Tile({ terminal }: { terminal: OverviewTerminal }) {
  const place = useInView<HTMLLIElement>(terminal.id);
  const shown = stateOf(terminal, now.value);
  return (
    <li ref={place}>
      <a
        class={shown.kind === 'waiting' ? 'tile is-waiting' : 'tile'}
        href={pathOf(terminal.id)}
        aria-label={`${wholeName(terminal)}, ${shown.words}`}
      >
        <Caption {...{ terminal, shown }} />
        <div class="well" aria-hidden="true">
          {isScreen(terminal) ? <Mini terminal={terminal} /> : <Lines lines={terminal.lines.slice(-LAST_LINES)} />}
        </div>
      </a>
    </li>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <pre>
      {lines.map((line, index) => (
        <span key={index}>
          <Line text={line} />
        </span>
      ))}
    </pre>
  );
}

/** Renders the whole screen of a full-screen program in small. */
function Mini({ terminal: { lines, rows, cols } }: { terminal: OverviewTerminal }) {
  const size = miniSizeFor(Math.min(rows, lines.length), cols);
  return (
    <pre class="mini" style={{ fontSize: `${size}px`, lineHeight: `${size * MINI_LEAD}px` }}>
      {lines.slice(0, rows).map((line, index) => (
        <span key={index} style={{ minHeight: `${size * MINI_LEAD}px` }}>
          <Line text={line} />
        </span>
      ))}
    </pre>
  );
}

export function Caption({ terminal, shown }: { terminal: OverviewTerminal; shown: Shown }) {
  const { lastCommand } = terminal;
  return (
    <div class="cap">
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <span class="name cut">
        <Name terminal={terminal} />
        <Unseen terminal={terminal} />
      </span>
      <span class={`state ${toneOf(shown)}`}>{shown.words}</span>
      <span class="cmd cut">{plain(lastCommand?.text ?? terminal.title)}</span>
      <By terminal={terminal} />
    </div>
  );
}
