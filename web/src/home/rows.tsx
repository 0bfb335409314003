/**
 * Renders terminals as rows: live ones with their last line, ended and lost ones with the actions that they still
 * allow.
 */
import type { VNode } from 'preact';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { client } from '../access.js';
import { goTo } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { plain, wholeName } from '../store/naming.js';
import { stateOf } from '../store/state-of.js';
import { now } from '../store/store.js';
import { age } from '../ui/durations.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { Line } from '../ui/line.js';
import { attempt } from '../terminal/more.js';
import { Chunk } from './chunk.js';
import { chunksOf, MIN_VIRTUAL } from './chunks.js';
import { groupsOf } from './groups.js';
import { useInView } from './in-view.js';
import { By, isScreen, Name, toneOf, Unseen } from './tile.js';

type Terminals = readonly OverviewTerminal[];

/** Renders the rows; of many rows, only those near the view. */
function rowsOf(terminals: Terminals, isLong: boolean, row: (terminal: OverviewTerminal) => VNode) {
  if (!isLong) return terminals.map(row);
  return chunksOf(terminals).map((chunk, index) => (
    <Chunk key={index} rows={chunk.length} render={() => chunk.map(row)} />
  ));
}

export function LiveRows({ terminals }: { terminals: Terminals }) {
  const isLong = terminals.length >= MIN_VIRTUAL;
  return (
    <div class="rows rows-live">
      {groupsOf(terminals).map(({ namespace, terminals: group }) => (
        <section key={namespace ?? ''}>
          {namespace !== null && (
            <h3 class="group-head">
              {namespace === '' ? 'Without a namespace' : namespace} <span class="dim">{group.length}</span>
            </h3>
          )}
          {rowsOf(group, isLong, (each) => (
            <LiveRow key={each.id} terminal={each} />
          ))}
        </section>
      ))}
    </div>
  );
}

export function EndedRows({ terminals }: { terminals: Terminals }) {
  return (
    <div class="rows">
      {rowsOf(terminals, terminals.length >= MIN_VIRTUAL, (each) => (
        <EndedRow key={each.id} terminal={each} />
      ))}
    </div>
  );
}

function LiveRow({ terminal }: { terminal: OverviewTerminal }) {
  const place = useInView<HTMLDivElement>(terminal.id);
  const shown = stateOf(terminal, now.value);
  const { lastCommand, title, lines } = terminal;
  return (
    <div ref={place} class="trow">
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <a class="plain strong cut" href={pathOf(terminal.id)}>
        <Name terminal={terminal} />
        <Unseen terminal={terminal} />
      </a>
      <span class="mono cut sub">{plain(lastCommand?.text ?? title)}</span>
      <span class="mono cut last">
        {isScreen(terminal) ? <span class="k">full screen: {plain(title)}</span> : <Line text={lines.at(-1) ?? ''} />}
      </span>
      <span class={`num ${toneOf(shown)}`}>{shown.words}</span>
      <span class="cap">
        <By terminal={terminal} />
      </span>
    </div>
  );
}

/** Opens a terminal with the same program, directory and size. */
export async function openLike(terminal: string): Promise<void> {
  const { terminalId } = await client.create({ like: terminal });
  goTo(pathOf(terminalId));
}

function EndedRow({ terminal }: { terminal: OverviewTerminal }) {
  const shown = stateOf(terminal, now.value);
  const { id, endedBy, lastCommand, shell } = terminal;
  return (
    <div class={shown.kind === 'lost' ? 'trow is-lost' : 'trow'}>
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <a class="plain strong cut" href={pathOf(id)}>
        <Name terminal={terminal} />
        <Unseen terminal={terminal} />
      </a>
      <span class="mono cut sub">{plain(lastCommand?.text ?? shell)}</span>
      <span class={`cut ${toneOf(shown) || 'sub'}`}>{shown.words}</span>
      <span class="num">{endedBy === null ? '' : age(now.value - Date.parse(endedBy.at))}</span>
      <span class="num" />
      <span class="acts">
        <a class="btn btn-quiet" href={pathOf(id, 'history')}>
          Read
        </a>
        <button class="btn btn-quiet" onClick={() => attempt(openLike(id))}>
          Open similar terminal
        </button>
        <button
          class="btn btn-quiet btn-icon"
          aria-label={`Remove ${wholeName(terminal)} and its history`}
          onClick={() => attempt(client.remove(id))}
        >
          <Icon name="trash" />
        </button>
      </span>
    </div>
  );
}
