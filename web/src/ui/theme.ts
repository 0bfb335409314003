/** Manages the theme: follows the system until the user chooses one, which this browser then remembers. */
import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const PLACE = 'tenacitty.theme';
const prefersLight = matchMedia('(prefers-color-scheme: light)');

function kept(): Theme | null {
  const value = localStorage.getItem(PLACE);
  return value === 'light' || value === 'dark' ? value : null;
}

const system = (): Theme => (prefersLight.matches ? 'light' : 'dark');
export const theme = signal<Theme>(kept() ?? system());

prefersLight.addEventListener('change', () => {
  theme.value = kept() ?? system();
});

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function switchTheme(): void {
  theme.value = theme.peek() === 'dark' ? 'light' : 'dark';
  localStorage.setItem(PLACE, theme.peek());
}
