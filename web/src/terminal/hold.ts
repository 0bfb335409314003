/** Whether this page holds the terminal, according to the server. Pure. */

export interface Hold {
  /** Whether this page has asked to take it and is waiting for the response. */
  readonly isAsked: boolean;
  /** When the hold of this page began; null: it does not hold the terminal. */
  readonly since: string | null;
}

export const NO_HOLD: Hold = { isAsked: false, since: null };

/** Returns the hold after a message about the holder: the first holder after the request is this page. */
export function afterControl(hold: Hold, since: string | null): Hold {
  if (hold.isAsked && since !== null) return { isAsked: false, since };
  return hold.since === since ? hold : { ...hold, since: null };
}

/** Returns the hold after a reconnection: the client requests again what the lost connection held. */
export function afterHello(hold: Hold, since: string | null): Hold {
  if (hold.since === null) return hold;
  return since === hold.since ? { isAsked: true, since } : NO_HOLD;
}
