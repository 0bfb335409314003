/** Renders the live terminals of the home page on a phone: a list with the last line of each. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { useInView } from '../home/in-view.js';
import { Caption } from '../home/tile.js';
import { pathOf } from '../routing/route.js';
import { stateOf } from '../store/state-of.js';
import { now } from '../store/store.js';
import { textOf } from '../ui/colours.js';
import { Line } from '../ui/line.js';

export function TerminalList({ terminals }: { terminals: readonly OverviewTerminal[] }) {
  return (
    <ul class="plist only-phone">
      {terminals.map((each) => (
        <Entry key={each.id} terminal={each} />
      ))}
    </ul>
  );
}

function Entry({ terminal }: { terminal: OverviewTerminal }) {
  const place = useInView<HTMLLIElement>(terminal.id);
  const shown = stateOf(terminal, now.value);
  const last = terminal.lines.findLast((line) => textOf(line).trim() !== '');
  return (
    <li ref={place}>
      <a class="prow plain" href={pathOf(terminal.id)}>
        <Caption {...{ terminal, shown }} />
        {last !== undefined && (
          <pre class="lastline cut" aria-hidden="true">
            <Line text={last} />
          </pre>
        )}
      </a>
    </li>
  );
}
