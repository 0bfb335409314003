/**
 * Tracks who is watching a terminal through live connections, and reports changes: soon, but only once for several
 * changes in quick succession.
 */
import { monotonicMs } from '../clock.js';
import { MAX_LISTED_VIEWERS, type Presence as Shown, type Viewer } from '../contract/presence.js';

/** Minimum interval between two reports. */
const INTERVAL_MS = 500;

export class Presence {
  readonly #onChange: (shown: Shown) => void;
  /** In order of arrival. */
  readonly #viewers = new Set<Viewer & { readonly since: string }>();
  #toldAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(onChange: (shown: Shown) => void) {
    this.#onChange = onChange;
  }

  get shown(): Shown {
    const viewers = [...this.#viewers].slice(0, MAX_LISTED_VIEWERS).map((viewer) => ({ ...viewer }));
    return { viewers, count: this.#viewers.size };
  }

  /** Returns a function to call when the viewer leaves. */
  add({ name, role }: Viewer): () => void {
    const viewer = { name, role, since: new Date().toISOString() };
    this.#viewers.add(viewer);
    this.#changed();
    return () => {
      if (this.#viewers.delete(viewer)) this.#changed();
    };
  }

  #changed(): void {
    if (this.#timer !== null) return;
    const leftMs = Math.max(0, this.#toldAt + INTERVAL_MS - monotonicMs());
    this.#timer = setTimeout(() => this.#tellOthers(), leftMs).unref();
  }

  #tellOthers(): void {
    this.#timer = null;
    this.#toldAt = monotonicMs();
    this.#onChange(this.shown);
  }
}
