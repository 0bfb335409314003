/** Tracks whether the window is as narrow as a phone, and keeps the page above a keyboard on the screen. */
import { signal } from '@preact/signals';

/** The same width as in the style sheets. At a zoom of 400 %, most windows are this narrow. */
const narrow = matchMedia('(max-width: 720px)');
export const isPhone = signal(narrow.matches);

narrow.addEventListener('change', () => {
  isPhone.value = narrow.matches;
});

/**
 * Gives the page the height that a keyboard on the screen leaves, in browsers that do not know
 * `interactive-widget=resizes-content`. Ignores zooming with two fingers, which must not change the layout.
 */
export function watchHeight(): () => void {
  const { visualViewport } = globalThis;
  if (!visualViewport) return () => {};
  const fit = (): void => {
    const isCovered = visualViewport.scale === 1 && visualViewport.height < innerHeight - 1;
    document.body.style.height = isCovered ? `${visualViewport.height}px` : '';
  };
  visualViewport.addEventListener('resize', fit);
  return () => visualViewport.removeEventListener('resize', fit);
}
