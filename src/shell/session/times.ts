/** How long a shell is waited for. */

/** The prompt is waited for this long after the hook said that a command has ended: a trap may print yet. */
export const HOOK_GRACE_MS = 400;
/** A line that was typed takes effect within this time, or the shell does not know what to do with it. */
export const START_GRACE_MS = 3000;
/** A line editor answers the key within this time, or has no such key. */
export const PARK_GRACE_MS = 500;
export const HEAL_GRACE_MS = 2000;
