/** Defines, for every interface, what a caller in each role may do. The only such table. Pure. */
import type { Action } from '../contract/methods.js';
import { TerminalError } from '../errors.js';

/** Actions of each role. `guest`: a caller without a key, who sees only pages that contain no data. */
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

/** Checks that a role may perform an action. @throws `FORBIDDEN` */
export function checkRole(role: Role, action: Action): void {
  if (mayDo(role, action)) return;
  const allowed = Object.keys(ROLES).filter((each) => mayDo(each as Role, action));
  const message = `The role ${role} does not allow this; it needs the role ${allowed.join(' or ')}`;
  throw new TerminalError('FORBIDDEN', message, { role, action });
}
