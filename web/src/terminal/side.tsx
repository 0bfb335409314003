/** Renders the narrow list of all terminals next to the open one. */
import { openPalette } from '../palette/dialogs.js';
import { route } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { plain, wholeName } from '../store/naming.js';
import { stateOf } from '../store/state-of.js';
import { needing, now, terminals } from '../store/store.js';
import { Brand, Icon, StateGlyph } from '../ui/icon.js';

type Terminals = typeof terminals.value;

export function Side() {
  const live = terminals.value.filter(({ status }) => status === 'active');
  const over = terminals.value.filter(({ status }) => status !== 'active');
  return (
    <aside class="side no-phone" aria-label="Terminals">
      <div class="top">
        <Brand />
        <button class="btn btn-quiet btn-icon" aria-label="Search and commands" onClick={openPalette}>
          <Icon name="search" small={false} />
        </button>
      </div>
      <div class="scroll">
        <Group words="Needs you" list={needing.value} />
        <Group words="Live" list={live} />
        <Group words="Ended and lost" list={over} />
      </div>
    </aside>
  );
}

function Group({ words, list }: { words: string; list: Terminals }) {
  if (list.length === 0) return null;
  return (
    <>
      <p class="label">{words}</p>
      <ul>
        {list.map((each) => (
          <Entry key={each.id} terminal={each} />
        ))}
      </ul>
    </>
  );
}

function Entry({ terminal }: { terminal: Terminals[number] }) {
  const shown = stateOf(terminal, now.value);
  const isOpen = route.value.terminal === terminal.id;
  return (
    <li>
      <a href={pathOf(terminal.id)} {...(isOpen ? { 'aria-current': 'page' as const } : {})}>
        <StateGlyph glyph={shown.glyph} isBad={shown.isBad} />
        <span class="cut">{wholeName(terminal)}</span>
        <span class={shown.kind === 'waiting' ? 'state c-wait' : 'state'}>
          {shown.words.replace(/^(running|waiting for) /, '').replace(/ · .*/, '')}
        </span>
        <span class="cmd cut">{plain(terminal.lastCommand?.text ?? '')}</span>
      </a>
    </li>
  );
}
