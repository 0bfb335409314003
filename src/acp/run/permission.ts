/** Which option is chosen where no person chooses. Pure. */
import type { PermissionOption } from './events.js';

const GRANTING = ['allow_once', 'allow_always'];
const REFUSING = ['reject_once', 'reject_always'];

/** The smallest permission there is to give, or null. */
export function grant(options: readonly PermissionOption[]): PermissionOption | null {
  return firstOf(GRANTING, options);
}

/** The smallest refusal there is, or null. */
export function refusal(options: readonly PermissionOption[]): PermissionOption | null {
  return firstOf(REFUSING, options);
}

export function isGrant({ kind }: PermissionOption): boolean {
  return GRANTING.includes(kind ?? '');
}

function firstOf(kinds: readonly string[], options: readonly PermissionOption[]): PermissionOption | null {
  const found = kinds.map((kind) => options.find((option) => option.kind === kind));
  return found.find((option) => option !== undefined) ?? null;
}
