/** Defines what a caller in each role is allowed to do, for every interface. Pure. */
import type { Action } from '../contract/methods.js';
import { TerminalError } from '../errors.js';

/** Actions of each role. `guest`: a caller without a key, which gets only pages that contain no data. */
const ROLES = {
  owner: ['view', 'control', 'manage'],
  controller: ['view', 'control'],
  viewer: ['view'],
  guest: [],
} as const satisfies Readonly<Record<string, readonly Action[]>>;

export type Role = keyof typeof ROLES;

export function mayDo(role: Role, action: Action): boolean {
  return (ROLES[role] as readonly Action[]).includes(action);
}

/** Checks that a role allows an action. @throws `FORBIDDEN` if it does not. */
export function checkRole(role: Role, action: Action): void {
  if (mayDo(role, action)) return;
  const allowed = Object.keys(ROLES).filter((each) => mayDo(each as Role, action));
  const message = `The role ${role} does not allow this; it needs the role ${allowed.join(' or ')}`;
  throw new TerminalError('FORBIDDEN', message, { role, action });
}
