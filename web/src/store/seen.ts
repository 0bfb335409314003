/** Keeps in this browser what the user has seen of each terminal. */
import { effect, signal } from '@preact/signals';
import { route } from '../routing/place.js';
import { fleet, isKnown } from './store.js';
import { afterLooking, type AllSeen } from './unseen.js';

const PLACE = 'tenacitty.seen';

function kept(): AllSeen | null {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? 'null') as AllSeen | null;
  } catch {
    return null;
  }
}

let known = kept();
export const seen = signal<AllSeen>(known ?? {});

/** Notes what is seen of the terminal that is open. Other tabs of this browser do the same. */
export function watchSeen(): () => void {
  const takeOther = ({ key }: StorageEvent): void => {
    if (key === PLACE) seen.value = (known = kept()) ?? {};
  };
  addEventListener('storage', takeOther);
  const stop = effect(() => {
    if (!isKnown.value || document.hidden) return;
    known = afterLooking(known, fleet.value, route.value.terminal);
    const text = JSON.stringify(known);
    if (text === localStorage.getItem(PLACE)) return;
    localStorage.setItem(PLACE, text);
    seen.value = known;
  });
  return () => {
    stop();
    removeEventListener('storage', takeOther);
  };
}
