/** Whether this page holds the terminal, by what the server says. Pure. */

export interface Hold {
  /** Asked to take it, and not yet answered. */
  readonly isAsked: boolean;
  /** When the hold of this page began; null: it holds nothing. */
  readonly since: string | null;
}

export const NO_HOLD: Hold = { isAsked: false, since: null };

/** After a message about the holder: the first holder after asking is this page. */
export function afterControl(hold: Hold, since: string | null): Hold {
  if (hold.isAsked && since !== null) return { isAsked: false, since };
  return hold.since === since ? hold : { ...hold, since: null };
}

/** After a connection was made again: the client asks again for what the lost one held. */
export function afterHello(hold: Hold, since: string | null): Hold {
  if (hold.since === null) return hold;
  return since === hold.since ? { isAsked: true, since } : NO_HOLD;
}
