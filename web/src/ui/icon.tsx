/** Renders icons, state glyphs and the logo, whose drawings are symbols in the page's HTML. */
import type { Glyph } from '../store/state-of.js';

export function Icon({ name, small = true }: { name: string; small?: boolean }) {
  return (
    <svg class={small ? 'i i-s' : 'i'} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

export function StateGlyph({ glyph, isBad = false }: { glyph: Glyph; isBad?: boolean }) {
  return (
    <svg class={`st st-${glyph}${isBad ? ' is-bad' : ''}`} aria-hidden="true">
      <use href={`#s-${glyph}`} />
    </svg>
  );
}

export function Brand() {
  return (
    <a class="brand" href="/" aria-label="tenacitty: all terminals">
      <svg viewBox="0 0 18 18" aria-hidden="true">
        <path d="M6 2.5H3v13h3M12 2.5h3v13h-3" />
        <rect class="cur" x="7.25" y="5.5" width="3.5" height="7" />
      </svg>
      <span>
        <span class="tenaci">tenaci</span>tty
      </span>
    </a>
  );
}
