/** Stores in this browser how lines are shown: wrapped, with times, or with colours. */
import { effect, signal, type Signal } from '@preact/signals';

function kept(name: string, otherwise: boolean): Signal<boolean> {
  const place = `tenacitty.history.${name}`;
  const value = signal((localStorage.getItem(place) ?? String(otherwise)) === 'true');
  effect(() => localStorage.setItem(place, String(value.value)));
  return value;
}

export const isWrapped = kept('wrap', true);
export const hasTimes = kept('times', false);
export const hasColours = kept('colours', true);
