/** Renders a chunk of a long list only while it is near the view; otherwise it takes up the height that it had. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const NEAR = '100% 0px';
/** The height of a row until rows have been measured. */
const ROW_PX = 36;

export function Chunk({ rows, render }: { rows: number; render: () => ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useSignal(false);
  const rowHeight = useRef(ROW_PX);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        isNear.value = entries.at(-1)?.isIntersecting === true;
      },
      // The margin applies only to the element that scrolls.
      { root: place.current!.closest('.scroll'), rootMargin: NEAR },
    );
    watcher.observe(place.current!);
    return () => watcher.disconnect();
  }, [isNear]);
  useLayoutEffect(() => {
    if (isNear.peek()) rowHeight.current = place.current!.offsetHeight / rows;
  });
  return (
    <div ref={place} {...(isNear.value ? {} : { style: { height: `${rows * rowHeight.current}px` } })}>
      {isNear.value && render()}
    </div>
  );
}
