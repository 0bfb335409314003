/** Renders a block of lines: numbers that are links, times, colours, and what a search has found. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { goTo } from '../routing/place.js';
import { textOf } from '../ui/colours.js';
import { count, timeOfDay } from '../ui/durations.js';
import { Line } from '../ui/line.js';
import { MarkedLine } from '../ui/marked-line.js';
import { currentLine, type Finding } from './finding.js';
import type { Reading } from './reading.js';
import type { measuring, Scroller } from './scroller.js';
import { hashOf } from './sections.js';
import { hasColours, hasTimes } from './showing.js';
import type { Entry } from './windows.js';

/** What the parts of an open history share. */
export interface Shared {
  readonly reading: Reading;
  readonly finding: Finding;
  readonly scroller: Scroller;
  readonly measure: ReturnType<typeof measuring>;
}

/** Marks a whole line whose matches the browser does not look for. */
const WHOLE_LINE = /^.+$/gu;

/** Measures a block or a gap while it is rendered. */
export function useMeasured({ measure }: Shared, kind: 'lines' | 'gap', from: number, to: number) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => measure.observe(place.current!, { kind, from, to }), [measure, kind, from, to]);
  return place;
}

interface BlockProps {
  readonly shared: Shared;
  readonly from: number;
  readonly to: number;
  /** Its height until its lines have been read. */
  readonly height: number;
}

export function Block({ shared, from, to, height }: BlockProps) {
  const { reading } = shared;
  const place = useMeasured(shared, 'lines', from, to);
  const entries = reading.windows.at(from).value;
  const mutableFrom = reading.stats.value?.isActive === true ? reading.windows.mutableFrom.value : null;
  return (
    <div ref={place} class="block" {...(entries === null ? { style: { height: `${height}px` } } : {})}>
      {entries
        ?.filter(({ line }) => line >= from && line <= to)
        .map((entry) => (
          <Row key={entry.line} {...{ shared, entry }} isFirstMutable={entry.line === mutableFrom} />
        ))}
    </div>
  );
}

function Row({ shared, entry, isFirstMutable }: { shared: Shared; entry: Entry; isFirstMutable: boolean }) {
  const { reading } = shared;
  const { line, time } = entry;
  const chosen = reading.chosen.value;
  const isIn = chosen !== null && line >= chosen.from && line <= chosen.to;
  return (
    <>
      {isFirstMutable && <div class="gap">These lines are still on the screen and may change.</div>}
      <div class={isIn ? 'ln is-in' : 'ln'} id={`L${line}`}>
        <a href={`#L${line}`} data-plain onClick={(event) => choose(event, reading, line)}>
          {count(line)}
        </a>
        {hasTimes.value && (
          <time dateTime={time} title={time}>
            {time === '' ? '' : timeOfDay(time)}
          </time>
        )}
        <span>
          <Text {...{ shared, entry }} />
        </span>
      </div>
    </>
  );
}

function Text({ shared: { finding }, entry: { line, text } }: { shared: Shared; entry: Entry }) {
  const expression = expressionFor(finding, line);
  if (expression !== null)
    return (
      <MarkedLine {...{ text, expression }} hasColours={hasColours.value} isCurrent={currentLine(finding) === line} />
    );
  return hasColours.value ? <Line text={text} /> : <>{textOf(text)}</>;
}

function expressionFor({ pattern, expression, matches }: Finding, line: number): RegExp | null {
  if (pattern.value === null || expression.value !== null) return expression.value;
  return matches.value.includes(line) ? WHOLE_LINE : null;
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
