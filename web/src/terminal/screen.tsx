/**
 * Renders the screen of a terminal: loads the emulator, connects it, and keeps its text as large as the space allows.
 */
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../ui/theme.js';
import { close, connect, type LiveView } from './live-view.js';

const isLeaving = (event: KeyboardEvent): boolean => event.ctrlKey && event.shiftKey && event.code === 'Space';

async function openIn(place: HTMLElement, view: LiveView, isGone: () => boolean): Promise<void> {
  const { openEmulator } = await import('./emulator.js');
  if (isGone()) return;
  const emulator = openEmulator(place, (text) => {
    view.offered.value = text;
  });
  // While this page holds the terminal, all keys but one go to the program.
  emulator.terminal.attachCustomKeyEventHandler((event) => {
    if (view.hold.peek().since === null) return false;
    if (!isLeaving(event)) return true;
    event.preventDefault();
    document.querySelector<HTMLElement>('#main')?.focus();
    return false;
  });
  connect(view, emulator);
}

export function Screen({ view }: { view: LiveView }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isGone = false;
    const watcher = new ResizeObserver(() => view.emulator?.fitText());
    watcher.observe(place.current!);
    openIn(place.current!, view, () => isGone).catch(() => {
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
  return <div class="screen" role="group" aria-label="Terminal screen" ref={place} />;
}
