/**
 * Renders the last lines of a terminal, wrapped for the width of the window: lines are known without the wrapping of
 * the terminal's own width.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { pathOf } from '../routing/route.js';
import { plain } from '../store/naming.js';
import { stateOfCommand } from '../store/state-of.js';
import { now } from '../store/store.js';
import type { LiveView } from '../terminal/live-view.js';
import { counted } from '../ui/durations.js';
import { StateGlyph } from '../ui/icon.js';
import { Line } from '../ui/line.js';
import { commandAt, EMPTY_TAIL, type Tail } from './tail-lines.js';
import { followTail } from './tail.js';
import { wayOf } from './ways.js';

/** Closer to the end than this, the view follows it. */
const NEAR_PX = 24;

export function Lines({ view }: { view: LiveView }) {
  return wayOf(view.id) === 'lines' ? <TailView view={view} /> : null;
}

/** Reads the lines whenever the emulator has received output. */
function useTail(view: LiveView) {
  const tail = useSignal<Tail>(EMPTY_TAIL);
  const state = view.state.value;
  useEffect(() => {
    const followed = followTail(view.id, (next) => {
      tail.value = next;
    });
    const watch = view.emulator?.terminal.onWriteParsed(() => followed.changed());
    return () => {
      watch?.dispose();
      followed.stop();
    };
  }, [view, state, tail]);
  return tail.value;
}

function TailView({ view }: { view: LiveView }) {
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const scrolled = useRef(0);
  const top = useSignal(0);
  const tail = useTail(view);
  const look = (): void => {
    const { scrollHeight, scrollTop, clientHeight } = place.current!;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    // Only scrolling back leaves the end; a smaller view does not.
    isAtEnd.current = isNear || (isAtEnd.current && scrollTop >= scrolled.current);
    scrolled.current = scrollTop;
    top.value = topLineOf(place.current!);
  };
  const follow = (): void => {
    if (isAtEnd.current && place.current) place.current.scrollTop = place.current.scrollHeight;
  };
  useLayoutEffect(() => {
    follow();
    look();
  }, [tail]);
  useEffect(() => {
    // A keyboard on the screen makes it smaller.
    const watcher = new ResizeObserver(follow);
    watcher.observe(place.current!);
    return () => watcher.disconnect();
  }, []);
  return (
    <>
      <Stick view={view} line={top.value} />
      <div class="screen last-lines" role="region" aria-label="Last lines" tabIndex={0} ref={place} onScroll={look}>
        <Earlier view={view} first={tail.lines[0]?.line ?? 0} />
        <pre>
          {tail.lines.map(({ line, text }) => (
            <span key={line} data-line={line}>
              <Line text={text} />
            </span>
          ))}
        </pre>
      </div>
    </>
  );
}

/** Returns the number of the line at the top of what is visible. */
function topLineOf(place: HTMLElement): number {
  const rows = [...place.querySelectorAll<HTMLElement>('[data-line]')];
  const { top } = place.getBoundingClientRect();
  const first = rows.find((each) => each.getBoundingClientRect().bottom > top) ?? rows.at(-1);
  return Number(first?.dataset['line'] ?? 0);
}

/** Shows which command printed the line at the top. */
function Stick({ view, line }: { view: LiveView; line: number }) {
  const command = commandAt(view.commands.value, line);
  if (command === null) return null;
  const { glyph, words, isBad } = stateOfCommand(command, now.value);
  return (
    <div class="stick">
      <StateGlyph glyph={glyph} />
      <span class="mono cut">{plain(command.text)}</span>
      <span class={`nowrap ${isBad ? 'c-bad' : 'dim'}`}>{words}</span>
    </div>
  );
}

function Earlier({ view, first }: { view: LiveView; first: number }) {
  if (first === 0) return null;
  return (
    <a class="gap" href={`${pathOf(view.id, 'history')}#L${first - 1}`}>
      {counted(first, 'earlier line')} in the history
    </a>
  );
}
