/** Renders all terminals: those that are waiting for the user, the live ones, and those that have ended or are lost. */
import { route } from '../routing/place.js';
import { isKnown, terminals } from '../store/store.js';
import { Bar } from './bar.js';
import { Empty } from './empty.js';
import { FilterBar, isRows } from './filter-bar.js';
import { filtered } from './filters.js';
import { NeedsYou } from './needs-you.js';
import { Problems } from './problems.js';
import { EndedRows, LiveRows } from './rows.js';
import { Tile } from './tile.js';
import { isPhone } from '../phone/width.js';
import { TerminalList } from '../phone/terminal-list.js';

export function Home() {
  const isEmpty = isKnown.value && terminals.value.length === 0;
  return (
    <div class="view is-on">
      <Bar />
      <Problems />
      {!isEmpty && <FilterBar isRows={isRows.value} />}
      <main class="scroll" id="main" tabIndex={-1}>
        {isEmpty ? <Empty /> : <Fleet isRows={isRows.value} />}
      </main>
    </div>
  );
}

function Fleet({ isRows }: { isRows: boolean }) {
  const shown = filtered(terminals.value, route.value.query);
  const live = shown.filter(({ status }) => status === 'active');
  const over = shown.filter(({ status }) => status !== 'active');
  return (
    <div class="fleet">
      <h1 class="vh">Terminals</h1>
      <NeedsYou />
      {isKnown.value && shown.length === 0 && <NothingFits />}
      {live.length > 0 && <Heading words="Live" count={live.length} />}
      {isPhone.value ? (
        <TerminalList terminals={live} />
      ) : isRows ? (
        <LiveRows terminals={live} />
      ) : (
        <ul class="tiles">
          {live.map((each) => (
            <Tile key={each.id} terminal={each} />
          ))}
        </ul>
      )}
      {over.length > 0 && <Heading words="Ended and lost" count={over.length} />}
      {over.length > 0 && <EndedRows terminals={over} />}
    </div>
  );
}

function Heading({ words, count }: { words: string; count: number }) {
  return (
    <div class="sect">
      <h2>{words}</h2> <span class="dim">{count}</span>
    </div>
  );
}

function NothingFits() {
  return (
    <p>
      No terminal matches these filters. <a href="/">Show all {terminals.value.length}</a>
    </p>
  );
}
