/**
 * Enforces retention on disk across all terminals. Removes all data of terminals that ended long ago. To reduce the
 * total size, drops the oldest segments, first those of ended terminals, then those of running ones. Pure except for
 * the functions it calls.
 */

/**
 * A terminal's history on disk. `bytes` and `oldestSegmentTime` are read again each time a segment has been dropped.
 */
export interface StoredHistory {
  readonly id: string;
  readonly isEnded: boolean;
  /** Milliseconds since the epoch; null while it is running. */
  readonly endedAt: number | null;
  readonly bytes: number;
  /** Null if there is nothing on disk. */
  readonly oldestSegmentTime: number | null;
  /** Removes the oldest segment but never the last one; returns the bytes freed. */
  dropOldest(): number;
  /** Removes the terminal with all its data. */
  remove(): void;
}

export interface RetentionLimits {
  /** Maximum total size in bytes. */
  readonly maxBytesTotal: number;
  /** How long an ended terminal is kept, in milliseconds; 0 for no limit. */
  readonly maxAgeMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What was removed. */
export interface SweepResult {
  /** Terminals removed because of their age. */
  readonly expired: readonly string[];
  /** Ended terminals removed because the total was too large. */
  readonly removed: readonly string[];
  /** Terminals that have lost their oldest segments but still exist. */
  readonly shortened: readonly { readonly id: string; readonly bytes: number }[];
}

/** Applies the limits to `stores`. Running terminals keep their last segment, so the total may stay above its limit. */
export function sweep(stores: readonly StoredHistory[], limits: RetentionLimits): SweepResult {
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
  /** Bytes still above the limit. */
  readonly excess: number;
  readonly freed: ReadonlyMap<StoredHistory, number>;
  /**
   * Stores that have only their last segment left, which `dropOldest` does not remove. For ended terminals, that
   * segment counts as freed.
   */
  readonly emptied: readonly StoredHistory[];
}

/** Drops the oldest segment across all stores until there is no excess or nothing more can be dropped. */
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
