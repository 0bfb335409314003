/**
 * Renders terminals as rows: live ones with their last line, ended and lost ones with the actions that they still
 * allow.
 */
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
import { Name, toneOf } from './tile.js';

export function LiveRow({ terminal }: { terminal: OverviewTerminal }) {
  const shown = stateOf(terminal, now.value);
  return (
    <div class="trow">
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <a class="plain strong cut" href={pathOf(terminal.id)}>
        <Name terminal={terminal} />
      </a>
      <span class="mono cut sub">{plain(terminal.lastCommand?.text ?? '')}</span>
      <span class="mono cut last">
        <Line text={terminal.lines.at(-1) ?? ''} />
      </span>
      <span class={`num ${toneOf(shown)}`}>{shown.words}</span>
      <span class="cap">
        <span class="by">{plain(terminal.holder?.name ?? '')}</span>
      </span>
    </div>
  );
}

/** Opens a terminal with the same program, directory and size. */
export async function openLike(terminal: string): Promise<void> {
  const { terminalId } = await client.create({ like: terminal });
  goTo(pathOf(terminalId));
}

export function EndedRow({ terminal }: { terminal: OverviewTerminal }) {
  const shown = stateOf(terminal, now.value);
  const { id, endedBy, lastCommand, shell } = terminal;
  return (
    <div class={shown.kind === 'lost' ? 'trow is-lost' : 'trow'}>
      <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
      <a class="plain strong cut" href={pathOf(id)}>
        <Name terminal={terminal} />
      </a>
      <span class="mono cut sub">{plain(lastCommand?.text ?? shell)}</span>
      <span class={`cut ${toneOf(shown) || 'sub'}`}>{shown.words}</span>
      <span class="num">{endedBy === null ? '' : age(now.value - Date.parse(endedBy.at))}</span>
      <span class="num" />
      <span class="acts">
        <a class="btn btn-quiet" href={pathOf(id, 'history')}>
          Read
        </a>
        <button class="btn btn-quiet" onClick={() => void openLike(id)}>
          Open similar terminal
        </button>
        <button
          class="btn btn-quiet btn-icon"
          aria-label={`Remove ${wholeName(terminal)} and its history`}
          onClick={() => void client.remove(id)}
        >
          <Icon name="trash" />
        </button>
      </span>
    </div>
  );
}
