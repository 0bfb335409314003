/** Renders the bar for the selected lines of a history, and copies them. */
import { client } from '../access.js';
import { attempt } from '../terminal/more.js';
import { copy } from '../ui/copying.js';
import { count } from '../ui/durations.js';
import { Icon } from '../ui/icon.js';
import type { Reading } from './reading.js';
import { hashOf, linesAsCurl, sizeOf, type Range } from './sections.js';

const MAX_BYTES = 4 << 20;

export function copyLink(range: Range): void {
  void copy(location.origin + location.pathname + hashOf(range));
}

export function copyCurl({ id }: Reading, range: Range): void {
  void copy(linesAsCurl(location.origin, id, range));
}

/** Copies the text of the lines, which may take several pages to read. */
export function copyText({ id }: Reading, range: Range): void {
  attempt(textOf(id, range).then(copy));
}

async function textOf(id: string, { from, to }: Range): Promise<string> {
  const pages: string[] = [];
  for (let since = from; ;) {
    const request = { since, maxLines: sizeOf({ from: since, to }), maxBytes: MAX_BYTES };
    const { output, hasMore, nextReadFrom } = await client.read(id, request);
    pages.push(output);
    if (!hasMore || nextReadFrom > to || nextReadFrom <= since) return pages.join('\n');
    since = nextReadFrom;
  }
}

export function Pick({ reading }: { reading: Reading }) {
  const range = reading.chosen.value;
  if (range === null) return null;
  const words = range.from === range.to ? `Line ${count(range.from)}` : `Lines ${count(range.from)}–${count(range.to)}`;
  const copies: readonly (readonly [string, string, () => void])[] = [
    ['Copy link', 'l', () => copyLink(range)],
    ['Copy text', 'y', () => copyText(reading, range)],
    ['Copy as curl', 'c', () => copyCurl(reading, range)],
  ];
  return (
    <div class="pick" role="toolbar" aria-label="Chosen lines">
      <b>{words}</b>
      <span class="dim no-phone">
        <kbd>⇧</kbd> click another line number to select a range
      </span>
      <span class="grow" />
      {copies.map(([name, key, act]) => (
        <button key={name} class="btn btn-quiet" onClick={act}>
          {name} <kbd class="no-phone">{key}</kbd>
        </button>
      ))}
      <button class="btn btn-quiet btn-icon" aria-label="Choose nothing" onClick={() => (reading.chosen.value = null)}>
        <Icon name="x" />
      </button>
    </div>
  );
}
