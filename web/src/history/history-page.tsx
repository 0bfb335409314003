/** Renders a terminal's history: one section per command, folded if the command succeeded, and read in windows. */
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { WayTabs } from '../phone/way-tabs.js';
import { route } from '../routing/place.js';
import { linesIn } from '../routing/route.js';
import { fleet } from '../store/store.js';
import { Head } from '../terminal/head.js';
import { Side } from '../terminal/side.js';
import { Unknown } from '../terminal/terminal-page.js';
import { counted } from '../ui/durations.js';
import { openFinding, stopFinding } from './finding.js';
import { follow } from './following.js';
import { watchHistoryKeys } from './history-keys.js';
import type { Shared } from './lines.js';
import { Outline } from './outline.js';
import { Pick } from './pick.js';
import { goToLines, openReading } from './reading.js';
import { Ruler } from './ruler.js';
import { measuring, moveTo, openScroller, scrolled, watchLayout, type Scroller } from './scroller.js';
import { sizeOf } from './sections.js';
import { hasTimes, isWrapped } from './showing.js';
import { Tools } from './tools.js';

function openHistory(id: string): Shared {
  const reading = openReading(id);
  const scroller = openScroller(reading);
  return { reading, scroller, finding: openFinding(id), measure: measuring(reading) };
}

export function HistoryPage({ id }: { id: string }) {
  const shared = useMemo(() => openHistory(id), [id]);
  const terminal = fleet.value.get(id);
  const isThere = terminal !== undefined;
  useEffect(() => {
    if (!isThere) return;
    const { reading, finding, measure } = shared;
    const stops = [follow(reading, finding), watchHistoryKeys(shared), () => stopFinding(finding), measure.close];
    return () => stops.forEach((stop) => stop());
  }, [shared, isThere]);
  const classes = ['reader', isWrapped.value ? '' : 'is-unwrapped', hasTimes.value ? 'has-time' : ''];
  return (
    <div class="view across is-on">
      <Side />
      {terminal === undefined ? (
        <Unknown />
      ) : (
        <main class="stage" id="main" tabIndex={-1}>
          <Head terminal={terminal} view={null} />
          <WayTabs terminal={terminal} view={null} />
          <Tools {...shared} />
          <div class="tbody">
            <div class={classes.filter(Boolean).join(' ')}>
              {shared.reading.held.value !== null && <Scrolled shared={shared} />}
              <Pick reading={shared.reading} />
            </div>
          </div>
        </main>
      )}
    </div>
  );
}

/** Goes to the lines in the URL now, and whenever the URL changes. */
function useTarget({ reading, scroller }: Shared): void {
  const { hash } = route.value;
  useEffect(() => {
    const lines = linesIn(hash);
    const chosen = reading.chosen.peek();
    // A selection that the user has just made is in view.
    if (lines === null || (chosen?.from === lines.from && chosen.to === lines.to)) return;
    reading.chosen.value = lines;
    goToLines(reading, lines, scroller.height.peek() / 4);
  }, [hash, reading, scroller]);
}

function Scrolled({ shared }: { shared: Shared }) {
  const { scroller } = shared;
  const place = useRef<HTMLDivElement>(null);
  const held = shared.reading.held.value;
  useLayoutEffect(() => attach(scroller, place.current!), [scroller]);
  useTarget(shared);
  const label = held === null ? 'History' : `History, ${counted(sizeOf(held), 'line')}`;
  return (
    <div class="reading">
      <div
        ref={place}
        class="scroll"
        data-scroll
        tabIndex={0}
        role="region"
        aria-label={label}
        onScroll={() => scrolled(scroller)}
        onKeyDown={(event) => goToEdge(event, scroller)}
      >
        <Outline shared={shared} />
      </div>
      <Ruler {...shared} />
    </div>
  );
}

/** Takes the heights of heads and lines from the styles, and follows the height of the view. */
function attach(scroller: Scroller, element: HTMLElement): () => void {
  const { reading, height } = scroller;
  scroller.element = element;
  const style = getComputedStyle(element);
  const pixels = (name: string, otherwise: number): number => parseFloat(style.getPropertyValue(name)) || otherwise;
  const { head, line } = reading.measures.peek();
  reading.measures.value = { head: pixels('--row', head), line: pixels('--lines-lead', line) };
  height.value = element.clientHeight;
  const observer = new ResizeObserver(() => {
    height.value = element.clientHeight;
  });
  observer.observe(element);
  const stop = watchLayout(scroller);
  return () => {
    stop();
    observer.disconnect();
    scroller.element = null;
  };
}

/** Home and End go to the edges of the history, of which only a part may be rendered. */
function goToEdge(event: KeyboardEvent, scroller: Scroller): void {
  if (event.key !== 'Home' && event.key !== 'End') return;
  event.preventDefault();
  moveTo(scroller, event.key === 'Home' ? 0 : Infinity);
}
