/** Renders the filters of the home page and the number of terminals that each one matches. */
import { computed, signal } from '@preact/signals';
import { goTo, route } from '../routing/place.js';
import { homeWith } from '../routing/route.js';
import { terminals } from '../store/store.js';
import { Icon } from '../ui/icon.js';
import { choicesOf, countsOf, stateFilterIn, STATES } from './filters.js';
import { MAX_TILES } from './groups.js';

const PLACE = 'tenacitty.layout';
/** The chosen layout, or null if none was chosen: then tiles, or rows if there are many terminals. */
export const layout = signal(localStorage.getItem(PLACE));

export const isRows = computed(() => {
  const live = terminals.value.filter(({ status }) => status === 'active').length;
  return layout.value === null ? live > MAX_TILES : layout.value === 'rows';
});

export function chooseLayout(name: 'tiles' | 'rows'): void {
  layout.value = name;
  localStorage.setItem(PLACE, name);
}

export function FilterBar({ isRows }: { isRows: boolean }) {
  const { query } = route.value;
  const counts = countsOf(terminals.value, query);
  const current = stateFilterIn(query);
  return (
    <nav class="filters" aria-label="Which terminals">
      <div class="tabs">
        {STATES.map(([state, words]) => (
          <a
            key={state}
            href={homeWith({ ...query, state: state === 'all' ? '' : state })}
            class={state === 'failed' ? 'apart' : ''}
            {...(state === current ? { 'aria-current': true as const } : {})}
          >
            {words} <span class={state === 'waiting' ? 'dot-wait' : 'n'}>{counts.get(state)}</span>
          </a>
        ))}
      </div>
      <div class="right no-phone">
        <Choice name="namespace" words="Namespace" />
        <Choice name="label" words="Labels" />
        <Choice name="holder" words="Held by" />
        <div class="seg" role="group" aria-label="Layout">
          <button aria-pressed={!isRows} aria-label="Tiles" onClick={() => chooseLayout('tiles')}>
            <Icon name="grid" />
          </button>
          <button aria-pressed={isRows} aria-label="Rows" onClick={() => chooseLayout('rows')}>
            <Icon name="rows" />
          </button>
        </div>
      </div>
    </nav>
  );
}

function Choice({ name, words }: { name: 'namespace' | 'label' | 'holder'; words: string }) {
  const { query } = route.value;
  const choices = choicesOf(terminals.value)[name];
  if (choices.length === 0) return null;
  return (
    <select
      class="btn btn-quiet"
      aria-label={words}
      value={query[name] ?? ''}
      onChange={(event) => goTo(homeWith({ ...query, [name]: event.currentTarget.value }))}
    >
      <option value="">{words}: all</option>
      {choices.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}
