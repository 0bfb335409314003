/** Client-side routing: exposes the current URL as a signal and follows links without reloading the page. */
import { computed, signal } from '@preact/signals';
import { routeOf } from './route.js';

const address = signal(location.href);
export const route = computed(() => routeOf(new URL(address.value)));

export function goTo(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  address.value = location.href;
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element).closest('a');
  if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('data-plain')) return;
  event.preventDefault();
  goTo(link.href);
}

/** Makes links within the page change the view instead of loading a new page. */
export function watchAddress(): void {
  document.addEventListener('click', followLink);
  const note = (): void => {
    address.value = location.href;
  };
  addEventListener('popstate', note);
  addEventListener('hashchange', note);
}
