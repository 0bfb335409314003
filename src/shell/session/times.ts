/** Time limits for a shell's answers. */

/** How long to wait for the prompt after the hook has reported the end of a command: a trap may still print. */
export const HOOK_GRACE_MS = 400;
/** A typed line takes effect within this time, or the shell does not understand it. */
export const START_GRACE_MS = 3000;
/** A line editor answers the key within this time, or has no such key. */
export const PARK_GRACE_MS = 500;
export const RELOAD_GRACE_MS = 2000;
