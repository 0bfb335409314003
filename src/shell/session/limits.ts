/** Defines the time limits for a shell's replies. */

/** A line is sent again once unchanged, then once more after the integration has been reloaded, then never. */
export const MAX_TRIES = 3;

/** How long to wait for the prompt after the hook has reported the end of a command, because a trap may still print. */
export const HOOK_GRACE_MS = 400;
const MIN_LOOK_MS = 5;
const MAX_LOOK_MS = 400;
/** Probes become rarer: a command that has called the hook itself may run for hours. */
const LOOK_SHARE = 0.25;

/** Returns how long to wait before the next probe for the prompt, this long after the shell's hook was called. */
export function lookIntervalMs(sinceMs: number): number {
  return Math.min(MAX_LOOK_MS, Math.max(MIN_LOOK_MS, sinceMs * LOOK_SHARE));
}

/** If a typed line has not taken effect within this time, the shell does not understand it. */
export const START_GRACE_MS = 3000;
/** If a line editor has not replied to the key within this time, it has no such key. */
export const PARK_GRACE_MS = 500;
export const RELOAD_GRACE_MS = 2000;
