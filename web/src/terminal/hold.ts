/** Tracks whether this page holds the terminal, according to the server. Pure. */

export interface Hold {
  /** Whether this page has requested the hold and is waiting for the response. */
  readonly isAsked: boolean;
  /** When this page's hold began, or null if this page does not hold the terminal. */
  readonly since: string | null;
}

export const NO_HOLD: Hold = { isAsked: false, since: null };

/**
 * Returns the hold after a message about the holder. The first holder reported after this page's request is this page.
 */
export function afterControl(hold: Hold, since: string | null): Hold {
  if (hold.isAsked && since !== null) return { isAsked: false, since };
  return hold.since === since ? hold : { ...hold, since: null };
}

/**
 * Returns the hold after a reconnection. If the lost connection still holds the terminal, the client requests the hold
 * again; otherwise the hold is gone.
 */
export function afterHello(hold: Hold, since: string | null): Hold {
  if (hold.since === null) return hold;
  return since === hold.since ? { isAsked: true, since } : NO_HOLD;
}
