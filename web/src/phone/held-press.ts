/**
 * Makes a button act like a key: a tap presses it once, holding it down repeats it, and a swipe that begins on it does
 * nothing. The focus stays where it is.
 */

const REPEAT_AFTER_MS = 400;
const REPEAT_MS = 70;

/** Returns the handlers of the button. */
export function keyHandlers(press: () => void, { repeats }: { readonly repeats: boolean }) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDown = false;
  const stop = (): void => {
    isDown = false;
    clearTimeout(timer);
  };
  const repeat = (): void => {
    press();
    isDown = false;
    timer = setTimeout(repeat, REPEAT_MS);
  };
  return {
    onPointerDown(event: PointerEvent): void {
      event.preventDefault();
      isDown = true;
      if (repeats) timer = setTimeout(repeat, REPEAT_AFTER_MS);
    },
    onMouseDown: (event: MouseEvent): void => event.preventDefault(),
    onPointerUp(): void {
      if (isDown) press();
      stop();
    },
    onPointerLeave: stop,
    // The browser has begun to scroll.
    onPointerCancel: stop,
    // A long touch would select the label.
    onContextMenu: (event: MouseEvent): void => event.preventDefault(),
    // Keyboards and screen readers click without a pointer.
    onClick: (event: MouseEvent): void => {
      if (event.detail === 0) press();
    },
  };
}
