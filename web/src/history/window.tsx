/**
 * Renders a window of lines. It always takes up the height of its lines, but renders them only while it is near the
 * viewport.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { goTo } from '../routing/place.js';
import { count, timeOfDay } from '../ui/durations.js';
import { Line } from '../ui/line.js';
import { textOf } from '../ui/colours.js';
import { hasColours, hasTimes } from './showing.js';
import { readWindow, type Lines, type Reading } from './reading.js';
import { hashOf, sizeOf, type Range } from './sections.js';

const NEAR = '200% 0px';
const LEAD_PX = 19;

export function Window({ reading, range }: { reading: Reading; range: Range }) {
  const place = useRef<HTMLDivElement>(null);
  const lines = useSignal<Lines | null>(null);
  const { from, to } = range;
  useEffect(() => {
    const abort = new AbortController();
    const fill = async (isNear: boolean): Promise<void> => {
      lines.value = isNear ? await readWindow(reading, { from, to }, abort.signal) : null;
    };
    const watcher = new IntersectionObserver(
      (entries) => void fill(entries.at(-1)?.isIntersecting === true).catch(() => {}),
      { rootMargin: NEAR },
    );
    watcher.observe(place.current!);
    return () => {
      abort.abort();
      watcher.disconnect();
    };
  }, [reading, from, to, lines]);
  return (
    <div ref={place} style={{ minHeight: `${sizeOf(range) * LEAD_PX}px` }}>
      {lines.value?.entries.map((entry) => (
        <Row key={entry.line} {...{ reading, entry }} isFirstMutable={entry.line === lines.value?.mutableFrom} />
      ))}
    </div>
  );
}

type Entry = Lines['entries'][number];

function Row({ reading, entry, isFirstMutable }: { reading: Reading; entry: Entry; isFirstMutable: boolean }) {
  const { line, time, text } = entry;
  const chosen = reading.chosen.value;
  const isIn = chosen !== null && line >= chosen.from && line <= chosen.to;
  return (
    <>
      {isFirstMutable && <div class="gap">The lines below are still on the screen and may change.</div>}
      <div class={isIn ? 'ln is-in' : 'ln'} id={`L${line}`}>
        <a href={`#L${line}`} data-plain onClick={(event) => choose(event, reading, line)}>
          {count(line)}
        </a>
        <span>
          {hasTimes.value && time !== '' && <span class="k">{timeOfDay(time)} </span>}
          {hasColours.value ? <Line text={text} /> : textOf(text)}
        </span>
      </div>
    </>
  );
}

/** Selects the line whose number was clicked; with Shift, extends the selection to it. */
function choose(event: MouseEvent, reading: Reading, line: number): void {
  event.preventDefault();
  const before = reading.chosen.peek();
  const isRange = event.shiftKey && before !== null;
  const range = isRange
    ? { from: Math.min(before.from, line), to: Math.max(before.to, line) }
    : { from: line, to: line };
  reading.chosen.value = range;
  goTo(location.pathname + hashOf(range), { replace: true });
}
