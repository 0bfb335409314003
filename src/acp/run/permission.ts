/** Selects an option if no person selects one. Pure. */
import type { PermissionOption } from './events.js';

const GRANTING = ['allow_once', 'allow_always'];
const REFUSING = ['reject_once', 'reject_always'];

/** Returns the option that grants permission most narrowly, or null if none grants it. */
export function grantingOption(options: readonly PermissionOption[]): PermissionOption | null {
  return firstOf(GRANTING, options);
}

/** Returns the option that refuses most narrowly, or null if none refuses. */
export function refusingOption(options: readonly PermissionOption[]): PermissionOption | null {
  return firstOf(REFUSING, options);
}

export function isGrantingOption({ kind }: PermissionOption): boolean {
  return GRANTING.includes(kind ?? '');
}

function firstOf(kinds: readonly string[], options: readonly PermissionOption[]): PermissionOption | null {
  const found = kinds.map((kind) => options.find((option) => option.kind === kind));
  return found.find((option) => option !== undefined) ?? null;
}
