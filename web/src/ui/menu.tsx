/**
 * Renders a button that opens a menu. The arrows move within it, and Escape closes it; then the button has the focus
 * again.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { moveFocus } from './arrow-keys.js';
import { Icon } from './icon.js';

interface Props {
  readonly label: string;
  readonly icon: string;
  readonly class?: string;
  readonly children: preact.ComponentChildren;
}

const ITEM = '[role^=menuitem]';

export function Menu({ label, icon, class: more = '', children }: Props) {
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    isOpen.value = false;
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        class={`btn btn-quiet btn-icon ${more}`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.peek())}
      >
        <Icon name={icon} small={false} />
      </button>
      {isOpen.value && (
        <List label={label} button={button} close={close} leave={() => (isOpen.value = false)}>
          {children}
        </List>
      )}
    </>
  );
}

interface ListProps {
  readonly label: string;
  readonly button: { readonly current: HTMLElement | null };
  /** Closes the menu and returns the focus. */
  readonly close: () => void;
  /** Closes the menu; the focus goes on. */
  readonly leave: () => void;
  readonly children: preact.ComponentChildren;
}

function List({ label, button, close, leave, children }: ListProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector<HTMLElement>(ITEM)?.focus();
    const onPointer = ({ target }: PointerEvent): void => {
      if (![place.current, button.current].some((each) => each?.contains(target as Node))) leave();
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    // The page's own keys do nothing while a menu is open.
    event.stopPropagation();
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') leave();
    else moveFocus(event, ITEM);
  };
  return (
    <div ref={place} class="menu menu-more" role="menu" aria-label={label} onClick={close} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
