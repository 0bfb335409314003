/** Renders what is near the view of a history: sections with sticky heads, blocks of lines, and gaps. */
import { useLayoutEffect } from 'preact/hooks';
import { plain } from '../store/naming.js';
import { stateOfCommand } from '../store/state-of.js';
import { now } from '../store/store.js';
import { attempt } from '../terminal/more.js';
import { copyOutput } from '../terminal/timeline.js';
import { copy } from '../ui/copying.js';
import { count, counted } from '../ui/durations.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { droppedWords } from './dropped.js';
import { drawnOf, type DrawnItem, type Group } from './layout.js';
import { Block, useMeasured, type Shared } from './lines.js';
import { extend, isClosed, setFold } from './reading.js';
import { MAX_HEIGHT_PX, pinLine, pinTop, settle } from './scroller.js';
import { hashOf, keyOf, sizeOf, STEP, type Section } from './sections.js';

export function Outline({ shared }: { shared: Shared }) {
  const { reading, scroller } = shared;
  const layout = reading.layout.value;
  const { first, last, base } = scroller.shown.value;
  useLayoutEffect(() => settle(scroller));
  const drawn = drawnOf(layout, first, Math.min(last, layout.items.length - 1), base, MAX_HEIGHT_PX);
  return (
    <>
      <Space height={drawn.before} />
      {drawn.groups.map((group) => {
        const section = layout.sections[group.section];
        return section === undefined ? (
          <Notice key="notice" {...shared} />
        ) : (
          <Fold key={keyOf(section)} {...{ shared, section, group }} />
        );
      })}
      <Space height={drawn.after} />
    </>
  );
}

const Space = ({ height }: { height: number }) => <div style={{ height: `${height}px` }} />;

function Notice({ reading }: Shared) {
  const stats = reading.stats.value;
  return <div class="gap">{stats && droppedWords(stats)}</div>;
}

function Fold({ shared, section, group }: { shared: Shared; section: Section; group: Group }) {
  const { items, before, after } = group;
  return (
    <section class="fold">
      <FoldHead {...{ shared, section }} />
      <div class="lines">
        <Space height={before} />
        {items.map((item) => (
          <Part key={`${item.kind}${item.from}`} {...{ shared, section, item }} />
        ))}
        <Space height={after} />
      </div>
    </section>
  );
}

function Part({ shared, section, item }: { shared: Shared; section: Section; item: DrawnItem }) {
  const { kind, from, to, height } = item;
  if (kind === 'gap') return <Gap {...{ shared, section, from, to }} />;
  return <Block {...{ shared, from, to, height }} />;
}

function FoldHead({ shared: { reading, scroller }, section }: { shared: Shared; section: Section }) {
  const { command, from, to } = section;
  const isFolded = isClosed(reading, section);
  const toggle = (): void => {
    pinTop(scroller);
    setFold(reading, keyOf(section), !isFolded);
  };
  const state = command && stateOfCommand(command, command.ended === null ? now.value : 0);
  return (
    <div class="fold-head">
      <h2 class="cut">
        <button aria-expanded={!isFolded} onClick={toggle}>
          <svg class="i tw" viewBox="0 0 16 16" aria-hidden="true">
            <use href="#i-right" />
          </svg>
          {state && <StateGlyph glyph={state.glyph} />}
          <span class="mono cut">{command === null ? 'Output between commands' : plain(command.text)}</span>
        </button>
      </h2>
      <span class="meta">
        {state && <span class={state.isBad ? 'c-bad' : ''}>{state.words}</span>}
        <span class="no-phone">{from > to ? 'no lines' : `${count(from)}–${count(to)}`}</span>
      </span>
      {command !== null && <Copies {...{ command, section }} />}
    </div>
  );
}

function Copies({ command, section }: { command: NonNullable<Section['command']>; section: Section }) {
  const link = (): string => location.origin + location.pathname + hashOf(section);
  return (
    <>
      <button
        class="btn btn-quiet btn-icon no-phone"
        aria-label="Copy output"
        onClick={() => attempt(copyOutput(command))}
      >
        <Icon name="copy" />
      </button>
      {section.from <= section.to && (
        <button class="btn btn-quiet btn-icon no-phone" aria-label="Copy link" onClick={() => void copy(link())}>
          <Icon name="link" />
        </button>
      )}
    </>
  );
}

interface GapProps {
  readonly shared: Shared;
  readonly section: Section;
  readonly from: number;
  readonly to: number;
}

function Gap({ shared, section, from, to }: GapProps) {
  const place = useMeasured(shared, 'gap', from, to);
  const { reading, scroller } = shared;
  const more = (head: number, tail: number) => (): void => {
    if (tail > 0) pinLine(scroller, to + 1);
    else pinTop(scroller);
    extend(reading, section, head, tail);
  };
  return (
    <div ref={place} class="block">
      <div class="gap">
        <span class="grow">{counted(to - from + 1, 'line')} folded away</span>
        <button class="btn btn-quiet" onClick={more(STEP, 0)}>
          {count(STEP)} from the start
        </button>
        <button class="btn btn-quiet" onClick={more(0, STEP)}>
          {count(STEP)} from the end
        </button>
        <button class="btn btn-quiet" onClick={more(sizeOf(section), 0)}>
          All
        </button>
      </div>
    </div>
  );
}
