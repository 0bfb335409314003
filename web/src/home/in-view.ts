/** Asks for the last lines of terminals while their tiles or rows are in view. */
import { useEffect, useRef } from 'preact/hooks';
import { inView } from '../store/store.js';

const ids = new Map<Element, string>();
let observer: IntersectionObserver | undefined;

function note(entries: readonly IntersectionObserverEntry[]): void {
  const shown = new Set(inView.peek());
  for (const { target, isIntersecting } of entries) {
    const id = ids.get(target);
    if (id === undefined) continue;
    if (isIntersecting) shown.add(id);
    else shown.delete(id);
  }
  inView.value = [...shown].sort();
}

function watch(element: Element, id: string): () => void {
  observer ??= new IntersectionObserver(note);
  ids.set(element, id);
  observer.observe(element);
  return () => {
    ids.delete(element);
    observer?.unobserve(element);
    inView.value = inView.peek().filter((each) => each !== id);
  };
}

export function useInView<Place extends HTMLElement>(id: string) {
  const place = useRef<Place>(null);
  useEffect(() => watch(place.current!, id), [id]);
  return place;
}
