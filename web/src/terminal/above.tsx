/** Renders the rows of the history above the emulator, where the window is taller than the terminal. */
import { Line } from '../ui/line.js';
import type { LiveView } from './live-view.js';

export function Above({ view }: { view: LiveView }) {
  const viewport = view.viewport.value;
  if (viewport === null || viewport.above === 0 || view.emulator === null) return null;
  const { first, above, cell } = viewport;
  const { fontSize, spacing } = view.emulator.font();
  const style = {
    '--term-size': `${fontSize}px`,
    '--term-lead': `${cell.height}px`,
    letterSpacing: `${spacing}px`,
  };
  const scroll = (event: WheelEvent): void => {
    event.preventDefault();
    view.emulator?.terminal.scrollLines(Math.sign(event.deltaY) * WHEEL_ROWS);
  };
  return (
    <pre class="above" aria-hidden="true" style={style} onWheel={scroll}>
      {view.emulator.textOf(first, above).map((text, index) => (
        <span key={index}>
          <Line text={text} />
        </span>
      ))}
    </pre>
  );
}

const WHEEL_ROWS = 3;
