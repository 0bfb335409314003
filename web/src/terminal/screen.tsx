/**
 * Renders the screen of a terminal: loads the emulator, connects it, keeps its text as large as the space allows, and
 * fills the rest with the history above it.
 */
import { useEffect, useRef } from 'preact/hooks';
import { plain } from '../store/naming.js';
import { theme } from '../ui/theme.js';
import { Above } from './above.js';
import { Gutter } from './gutter.js';
import { readMutableFrom } from './lines-above.js';
import { close, connect, look, type LiveView } from './live-view.js';
import { watchedKey } from './watched-keys.js';

const isLeaving = (event: KeyboardEvent): boolean => event.ctrlKey && event.shiftKey && event.code === 'Space';

function explain(view: LiveView): void {
  const holder = view.holder.peek();
  view.hint.value = `${holder === null ? '' : `${plain(holder.name)} holds it. `}Press t to take over.`;
}

/** While this page holds the terminal, all keys but one go to the program. */
function handleKey(view: LiveView, event: KeyboardEvent): boolean {
  if (view.hold.peek().since === null) {
    watchedKey(event, view.emulator!.terminal, () => explain(view));
    return false;
  }
  if (!isLeaving(event)) return true;
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
  return false;
}

async function openIn(place: HTMLElement, frame: HTMLElement, view: LiveView, isGone: () => boolean): Promise<void> {
  const [{ openEmulator }, mutableFrom] = await Promise.all([import('./emulator.js'), readMutableFrom(view.id)]);
  view.mutableFrom = mutableFrom;
  if (isGone()) return;
  const emulator = openEmulator(place, frame, (text) => {
    view.offered.value = text;
  });
  emulator.terminal.attachCustomKeyEventHandler((event) => handleKey(view, event));
  emulator.terminal.textarea?.addEventListener('blur', () => {
    view.hint.value = '';
  });
  connect(view, emulator);
}

/** Adapts the text to the space. */
function fit(view: LiveView): void {
  view.emulator?.fitText();
  look(view);
}

export function Screen({ view }: { view: LiveView }) {
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isGone = false;
    const watcher = new ResizeObserver(() => fit(view));
    watcher.observe(frame.current!);
    openIn(place.current!, frame.current!, view, () => isGone).catch(() => {
      view.said.value = 'The terminal could not be loaded. Reload the page.';
    });
    const stop = theme.subscribe(() => requestAnimationFrame(() => view.emulator?.retheme()));
    return () => {
      isGone = true;
      stop();
      watcher.disconnect();
      close(view);
    };
  }, [view]);
  return (
    <div class="screen" role="group" aria-label="Terminal screen" ref={frame}>
      <div class="paper">
        <Above view={view} />
        <div ref={place} />
        <Gutter view={view} />
      </div>
    </div>
  );
}
