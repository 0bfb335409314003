/** Defines the principal: the caller of an admitted request. */
import { userName } from '../user-name.js';
import type { Role } from './roles.js';

export interface Principal {
  /** Stable and unique; used for limits and in logs. */
  readonly id: string;
  /** `local`: a process that the server's own user runs on this machine. `key`: the holder of an API key. */
  readonly kind: 'local' | 'key';
  /** Human-readable: the user's name, or the name of the key. */
  readonly name: string;
  /** For a caller on the page: the id of its sign-in, and the id of the principal that signed in. */
  readonly signIn?: { readonly id: string; readonly as: string };
  /** Determines what it is allowed to do. */
  readonly role: Role;
}

/**
 * Returns the id of the account whose limits apply. All sign-ins of a principal count as one account: the principal's
 * own.
 */
export function accountOf({ id, signIn }: Principal): string {
  return signIn?.as ?? id;
}

/** Returns the principal for the user that runs this process. */
export function localPrincipal(): Principal {
  return { id: 'local', kind: 'local', name: userName(), role: 'owner' };
}
