/** Renders the keys that keyboards of phones lack. */
import { useMemo } from 'preact/hooks';
import { moveFocus } from '../ui/arrow-keys.js';
import { BAR, isModifier, type BarKey } from './key-state.js';
import { keyHandlers } from './held-press.js';
import type { Typing } from './typing.js';

export function KeyBar({ typing }: { typing: Typing }) {
  return (
    <div
      class="keybar only-phone"
      role="toolbar"
      aria-label="Keys"
      onKeyDown={(event) => moveFocus(event, 'button', { isAcross: true })}
    >
      {BAR.map((each, index) => (
        <Key key={each.key} bar={each} typing={typing} isFirst={index === 0} />
      ))}
    </div>
  );
}

function Key({ bar, typing, isFirst }: { bar: BarKey; typing: Typing; isFirst: boolean }) {
  const { key, words, label } = bar;
  const handlers = useMemo(
    () => keyHandlers(() => typing.press(key), { repeats: !isModifier(key) && key !== 'paste' }),
    [typing, key],
  );
  const held = isModifier(key) ? typing.modifiers.value[key] : null;
  return (
    <button
      type="button"
      tabIndex={isFirst ? 0 : -1}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(held === null ? {} : { 'aria-pressed': held !== 'off', class: `is-${held}` })}
      {...handlers}
    >
      {words}
    </button>
  );
}
