/** Renders the ruler of a history: failed commands, matches, the selection, and what is in view. A click goes there. */
import { useComputed } from '@preact/signals';
import { wholeHeight } from './layout.js';
import type { Shared } from './lines.js';
import { failureMarks, lineMarks, rangeMark, type Mark } from './marks.js';
import { moveTo, type Scroller } from './scroller.js';

const percent = (share: number): string => `${share * 100}%`;

export function Ruler({ reading, finding, scroller }: Shared) {
  const failures = useComputed(() => failureMarks(reading.layout.value));
  const matches = useComputed(() => lineMarks(reading.layout.value, finding.matches.value));
  const { chosen, layout } = reading;
  const go = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const ruler = event.currentTarget as Element;
    ruler.setPointerCapture(event.pointerId);
    const { top, height } = ruler.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientY - top) / height));
    moveTo(scroller, share * wholeHeight(layout.peek()) - scroller.height.peek() / 2);
  };
  return (
    <svg class="ruler" width="14" aria-hidden="true" onPointerDown={go} onPointerMove={go}>
      <ViewBox {...{ scroller }} />
      <Marks kind="bad" marks={failures.value} x={2} width={3} />
      <Marks kind="sel" marks={chosen.value === null ? [] : [rangeMark(layout.value, chosen.value)]} x={9} width={3} />
      <Marks kind="hit" marks={matches.value} x={9} width={4} />
    </svg>
  );
}

function ViewBox({ scroller }: { scroller: Scroller }) {
  const whole = Math.max(1, wholeHeight(scroller.reading.layout.value), scroller.height.value);
  return (
    <rect
      class="view-box"
      width="14"
      y={percent(scroller.top.value / whole)}
      height={percent(scroller.height.value / whole)}
    />
  );
}

/** Each mark is at least two pixels high. */
function Marks({ kind, marks, x, width }: { kind: string; marks: readonly Mark[]; x: number; width: number }) {
  return (
    <>
      {marks.map(({ from, size }) => (
        <rect key={from} class={kind} x={x} y={percent(from)} width={width} height={size < 0.002 ? 2 : percent(size)} />
      ))}
    </>
  );
}
