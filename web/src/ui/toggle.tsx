/** Renders a button with a short sign that turns something on or off. */
import type { Signal } from '@preact/signals';

export interface ToggleProps {
  readonly name: string;
  readonly sign: string;
  readonly value: Signal<boolean>;
  readonly toggle: (value: Signal<boolean>) => void;
}

export function Toggle({ name, sign, value, toggle }: ToggleProps) {
  return (
    <button class="mono" aria-label={name} title={name} aria-pressed={value.value} onClick={() => toggle(value)}>
      {sign}
    </button>
  );
}
