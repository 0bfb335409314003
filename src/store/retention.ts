/**
 * What may stay on disk, of all terminals together: those ended long ago go whole, and what is too much goes segment
 * by segment, oldest first, of ended terminals before running ones. Pure but for what it calls.
 */

/** A terminal's history on disk. `bytes` and `oldestSegmentTime` are read anew after each drop. */
export interface StoredHistory {
  readonly id: string;
  readonly isEnded: boolean;
  /** Milliseconds since the epoch; null while it runs. */
  readonly endedAt: number | null;
  readonly bytes: number;
  /** Null where there is nothing. */
  readonly oldestSegmentTime: number | null;
  /** Removes the oldest segment but never the last; returns the bytes freed. */
  dropOldest(): number;
  /** Removes the terminal with all that is kept of it. */
  remove(): void;
}

export interface RetentionLimits {
  /** Most bytes of all together. */
  readonly maxBytesTotal: number;
  /** How long an ended terminal is kept, in milliseconds; 0 for ever. */
  readonly maxAgeMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What was removed. */
export interface Swept {
  /** Terminals removed for their age. */
  readonly expired: readonly string[];
  /** Ended terminals removed because all together were too much. */
  readonly removed: readonly string[];
  /** Terminals that lost their oldest segments and are still there. */
  readonly shortened: readonly { readonly id: string; readonly bytes: number }[];
}

/** Holds `stores` to the limits. Running terminals keep their last segment, so the total may stay above its limit. */
export function sweep(stores: readonly StoredHistory[], limits: RetentionLimits): Swept {
  const expired = stores.filter((store) => isExpired(store, limits));
  for (const store of expired) store.remove();
  const kept = stores.filter((store) => !expired.includes(store));
  const excess = kept.reduce((sum, { bytes }) => sum + bytes, 0) - limits.maxBytesTotal;
  const ended = shrink(excess, kept.filter(({ isEnded }) => isEnded)); // prettier-ignore
  for (const store of ended.emptied) store.remove();
  const running = shrink(ended.excess, kept.filter(({ isEnded }) => !isEnded)); // prettier-ignore
  const shortened = [...ended.freed, ...running.freed].filter(([store]) => !ended.emptied.includes(store));
  return {
    expired: expired.map(({ id }) => id),
    removed: ended.emptied.map(({ id }) => id),
    shortened: shortened.map(([{ id }, bytes]) => ({ id, bytes })),
  };
}

interface Shrunk {
  /** Bytes that are still too much. */
  readonly excess: number;
  readonly freed: ReadonlyMap<StoredHistory, number>;
  /** Those that have but their last segment, which does not go by `dropOldest`; counted as gone where ended. */
  readonly emptied: readonly StoredHistory[];
}

/** Drops the oldest segment of them all until there is no excess, or none that can be dropped. */
function shrink(atFirst: number, stores: readonly StoredHistory[]): Shrunk {
  const left = [...stores];
  const freed = new Map<StoredHistory, number>();
  const emptied: StoredHistory[] = [];
  let excess = atFirst;
  while (excess > 0 && left.length > 0) {
    const store = oldestOf(left);
    const bytes = store.dropOldest();
    if (bytes > 0) freed.set(store, (freed.get(store) ?? 0) + bytes);
    else emptied.push(...left.splice(left.indexOf(store), 1));
    excess -= bytes > 0 || !store.isEnded ? bytes : store.bytes;
  }
  return { excess, freed, emptied };
}

function isExpired({ isEnded, endedAt }: StoredHistory, { maxAgeMs, now }: RetentionLimits): boolean {
  return isEnded && endedAt !== null && maxAgeMs > 0 && now - endedAt > maxAgeMs;
}

function oldestOf(stores: readonly StoredHistory[]): StoredHistory {
  return stores.reduce((oldest, store) =>
    (store.oldestSegmentTime ?? Infinity) < (oldest.oldestSegmentTime ?? Infinity) ? store : oldest,
  );
}
