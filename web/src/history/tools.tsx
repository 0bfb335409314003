/** Renders the toolbar of a history and the bar for selected lines. */
import type { Signal } from '@preact/signals';
import { client } from '../access.js';
import { copy } from '../ui/copying.js';
import { count } from '../ui/durations.js';
import { Icon } from '../ui/icon.js';
import { find, step, type Reading } from './reading.js';
import { hashOf, sizeOf, type Range } from './sections.js';
import { hasColours, hasTimes, isWrapped } from './showing.js';

const SHOWING: readonly (readonly [string, Signal<boolean>])[] = [
  ['Wrap', isWrapped],
  ['Times', hasTimes],
  ['Colours', hasColours],
];

function countWords(reading: Reading): string {
  const { length } = reading.matches.value;
  const place = reading.current.value < 0 ? '' : `${count(reading.current.value + 1)} of `;
  if (reading.said.value !== '') return reading.said.value;
  if (reading.pattern.value === '') return '';
  return reading.isSearching.value ? `${count(length)} so far …` : `${place}${count(length)}`;
}

export function Tools({ reading }: { reading: Reading }) {
  const search = (event: Event): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('text');
    if (text === reading.pattern.peek()) step(reading, 1);
    else void find(reading, String(text as string)).then(() => step(reading, 1));
  };
  return (
    <div class="tool">
      <form onSubmit={search}>
        <label class="field find">
          <Icon name="search" />
          <span class="vh">Search this history</span>
          <input type="search" name="text" data-find />
          <span class="dim nowrap" role="status">
            {countWords(reading)}
          </span>
        </label>
      </form>
      <button class="btn btn-icon" aria-label="Previous match" onClick={() => step(reading, -1)}>
        <Icon name="up" />
      </button>
      <button class="btn btn-icon" aria-label="Next match" onClick={() => step(reading, 1)}>
        <Icon name="down" />
      </button>
      <div class="right no-phone">
        <div class="seg" role="group" aria-label="Show">
          {SHOWING.map(([words, value]) => (
            <button key={words} aria-pressed={value.value} onClick={() => (value.value = !value.peek())}>
              {words}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

async function copyLines({ id }: Reading, range: Range): Promise<void> {
  const { output } = await client.read(id, { since: range.from, maxLines: sizeOf(range) });
  await copy(output);
}

export function Pick({ reading }: { reading: Reading }) {
  const range = reading.chosen.value;
  if (range === null) return null;
  const words = range.from === range.to ? `Line ${count(range.from)}` : `Lines ${count(range.from)}–${count(range.to)}`;
  return (
    <div class="pick" role="toolbar" aria-label="Chosen lines">
      <b>{words}</b>
      <span class="dim no-phone">
        <kbd>⇧</kbd> click another line number to select a range
      </span>
      <span class="grow" />
      <button class="btn btn-quiet" onClick={() => void copy(location.origin + location.pathname + hashOf(range))}>
        Copy link
      </button>
      <button class="btn btn-quiet" onClick={() => void copyLines(reading, range)}>
        Copy text
      </button>
      <button class="btn btn-quiet btn-icon" aria-label="Choose nothing" onClick={() => (reading.chosen.value = null)}>
        <Icon name="x" />
      </button>
    </div>
  );
}
