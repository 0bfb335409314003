/** Renders a terminal's history: one section per command, folded if the command succeeded, and read in windows. */
import { effect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { WayTabs } from '../phone/way-tabs.js';
import { route } from '../routing/place.js';
import { linesIn } from '../routing/route.js';
import { plain } from '../store/naming.js';
import { stateOfCommand } from '../store/state-of.js';
import { fleet, now } from '../store/store.js';
import { Head } from '../terminal/head.js';
import { Side } from '../terminal/side.js';
import { Unknown } from '../terminal/terminal-page.js';
import { copyOutput } from '../terminal/timeline.js';
import { count, counted } from '../ui/durations.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { look, openReading, type Reading } from './reading.js';
import { EDGES, isFolded, sectionsOf, shownParts, sizeOf, STEP, windowsOf, type Section } from './sections.js';
import { isWrapped } from './showing.js';
import { Pick, Tools } from './tools.js';
import { Window } from './window.js';

/** Scrolls to the requested line once its window has been read, and places it a quarter of the way down the view. */
function showTarget(reading: Reading): () => void {
  return effect(() => {
    const target = reading.target.value;
    if (target === null || reading.held.value === null) return;
    let tries = 0;
    const show = (): void => {
      const scroller = document.querySelector('[data-scroll]');
      const line = document.getElementById(`L${target.from}`);
      line?.scrollIntoView({ block: 'start' });
      if (line && scroller) scroller.scrollTop -= scroller.clientHeight / 4;
      else if (tries++ < 60) requestAnimationFrame(show);
    };
    requestAnimationFrame(show);
  });
}

export function HistoryPage({ id }: { id: string }) {
  const reading = useMemo(() => openReading(id), [id]);
  const terminal = fleet.value.get(id);
  useEffect(() => {
    look(reading).catch((error: unknown) => {
      reading.said.value = error instanceof Error ? error.message : 'The history could not be read.';
    });
    reading.target.value = reading.chosen.value = linesIn(route.peek().hash);
    return showTarget(reading);
  }, [reading]);
  return (
    <div class="view across is-on">
      <Side />
      {terminal === undefined ? (
        <Unknown />
      ) : (
        <main class="stage" id="main" tabIndex={-1}>
          <Head terminal={terminal} view={null} />
          <WayTabs terminal={terminal} view={null} />
          <Tools reading={reading} />
          <div class="tbody">
            <div class={isWrapped.value ? 'reader' : 'reader is-unwrapped'}>
              <Sections reading={reading} />
              <Pick reading={reading} />
            </div>
          </div>
        </main>
      )}
    </div>
  );
}

function Sections({ reading }: { reading: Reading }) {
  const held = reading.held.value;
  if (held === null) return null;
  const dropped = reading.dropped.value;
  return (
    <div class="reading">
      <div
        class="scroll"
        data-scroll
        tabIndex={0}
        role="region"
        aria-label={`History, ${counted(sizeOf(held), 'line')}`}
      >
        {dropped > 0 && <div class="gap">{counted(dropped, 'line')} dropped because the limit was reached.</div>}
        {sectionsOf(reading.commands.value, held).map((section) => (
          <Fold key={section.from} {...{ reading, section }} />
        ))}
      </div>
    </div>
  );
}

function Fold({ reading, section }: { reading: Reading; section: Section }) {
  const { command, from, to } = section;
  const target = reading.target.value;
  const isClosed = reading.folds.value.get(from) ?? isFolded(section, target);
  const toggle = (): void => {
    reading.folds.value = new Map(reading.folds.peek()).set(from, !isClosed);
  };
  const state = command && stateOfCommand(command, now.value);
  return (
    <section class="fold">
      <div class="fold-head">
        <h2 class="cut">
          <button aria-expanded={!isClosed} onClick={toggle}>
            <svg class="i tw" viewBox="0 0 16 16" aria-hidden="true">
              <use href="#i-right" />
            </svg>
            {state && <StateGlyph glyph={state.glyph} />}
            <span class="mono cut">{command === null ? 'Output between commands' : plain(command.text)}</span>
          </button>
        </h2>
        <span class="meta">
          {state && <span class={state.isBad ? 'c-bad' : ''}>{state.words}</span>}
          <span class="no-phone">
            {count(from)}–{count(to)}
          </span>
        </span>
        {command !== null && (
          <button
            class="btn btn-quiet btn-icon no-phone"
            aria-label="Copy output"
            onClick={() => void copyOutput(command)}
          >
            <Icon name="copy" />
          </button>
        )}
      </div>
      {!isClosed && <Parts {...{ reading, section }} />}
    </section>
  );
}

function Parts({ reading, section }: { reading: Reading; section: Section }) {
  const extent = reading.extents.value.get(section.from) ?? EDGES;
  const parts = shownParts(section, extent, reading.target.value);
  const extend = (head: number, tail: number): void => {
    const next = { head: extent.head + head, tail: extent.tail + tail };
    reading.extents.value = new Map(reading.extents.peek()).set(section.from, next);
  };
  return (
    <div class="lines">
      {parts.map((part, index) => (
        <div key={part.from}>
          {index > 0 && <Gap lines={part.from - parts[index - 1]!.to - 1} extend={extend} all={sizeOf(section)} />}
          {windowsOf(part).map((each) => (
            <Window key={each.from} reading={reading} range={each} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Gap({ lines, extend, all }: { lines: number; extend: (head: number, tail: number) => void; all: number }) {
  return (
    <div class="gap">
      <span class="grow">{counted(lines, 'line')} folded away</span>
      <button class="btn btn-quiet" onClick={() => extend(STEP, 0)}>
        {count(STEP)} from the start
      </button>
      <button class="btn btn-quiet" onClick={() => extend(0, STEP)}>
        {count(STEP)} from the end
      </button>
      <button class="btn btn-quiet" onClick={() => extend(all, 0)}>
        All
      </button>
    </div>
  );
}
