/** The caller of an admitted request. */
import { userName } from '../user-name.js';
import type { Role } from './roles.js';

export interface Principal {
  /** Stable and unique; used for limits and in logs. */
  readonly id: string;
  /** `local`: a process of the server's own user on this machine. `key`: the holder of an API key. */
  readonly kind: 'local' | 'key';
  /** Human-readable: the user's name, or the name of the key. */
  readonly name: string;
  /** For a caller on the page: its sign-in, and the id of the principal that signed in. */
  readonly signIn?: { readonly id: string; readonly as: string };
  /** What it may do. */
  readonly role: Role;
}

/**
 * Returns the id of the account whose limits apply: that of whoever signed in, regardless of the number of sign-ins.
 */
export function accountOf({ id, signIn }: Principal): string {
  return signIn?.as ?? id;
}

/** Returns the user of this process. */
export function localPrincipal(): Principal {
  return { id: 'local', kind: 'local', name: userName(), role: 'owner' };
}
