/**
 * Manages sign-ins to the page. Each sign-in has a cookie, which scripts cannot read but every port of the host
 * receives, and a proof, which the page stores for its own origin. A caller is identified only if it sends both from
 * the origin that signed in. A sign-in has the permissions of the account that signed in, and ends when the key that
 * was used is revoked or expires.
 */
import type { IncomingMessage } from 'node:http';
import { TerminalError } from '../errors.js';
import type { KeyRing } from './key-ring.js';
import { cookieHeader, isFromPageAt, ownOriginOf, type PageSecrets } from './page-request.js';
import { accountOf, localPrincipal, type Principal } from './principal.js';
import { hashOf } from './private-folder.js';
import { mayDo } from './roles.js';
import { isSecret, MAX_AGE_MS, SignInFiles, type StoredSignIn } from './sign-in-files.js';

/** A sign-in, as shown to callers. */
export type ShownSignIn = Pick<StoredSignIn, 'id' | 'name' | 'browser' | 'created'> & {
  readonly lastUsed: string;
  readonly isCurrent: boolean;
};

const MAX_BROWSER_LENGTH = 200;
/**
 * Maximum number of cookies that are looked up on disk. A browser can have two: one for TLS, and one from before the
 * server used TLS.
 */
const MAX_COOKIES = 4;
const PREFIX = 'sign-in:';

export class SignIns {
  readonly #files: SignInFiles;
  readonly #keys: KeyRing;

  constructor(dataDir: string, keys: KeyRing) {
    this.#files = new SignInFiles(dataDir);
    this.#keys = keys;
  }

  /**
   * Signs in the page that sent this request.
   *
   * @param principal - The principal whose permissions the page gets.
   * @returns The proof, and the value of the header that sets the cookie.
   */
  begin(request: IncomingMessage, { id: as, name }: Principal): { readonly proof: string; readonly cookie: string } {
    const origin = ownOriginOf(request)!;
    const browser = (request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, MAX_BROWSER_LENGTH);
    const { cookie, proof } = this.#files.create({ as, name, origin, browser });
    return { proof, cookie: cookieHeader(request, origin, cookie, MAX_AGE_MS) };
  }

  /**
   * Returns the principal that sent a request, or why the request is refused, as the end of the sentence "This request
   * is refused because …".
   *
   * @param needsProof - false if the route itself requires a different secret of this sign-in.
   */
  find(
    request: IncomingMessage,
    { cookies, proofs }: PageSecrets,
    needsProof: boolean,
  ): { readonly principal: Principal } | { readonly reason: string } {
    const likely = cookies.filter((cookie) => isSecret(cookie)).slice(0, MAX_COOKIES);
    const found = likely.flatMap((cookie) => this.#files.use(cookie) ?? []);
    if (found.length === 0) return { reason: 'it has no valid sign-in cookie' };
    const proven = found.find(({ proof }) => proofs.length === 1 && proof === hashOf(proofs[0]!));
    const signIn = needsProof ? proven : (proven ?? found[0]);
    if (!signIn) return { reason: 'it has a sign-in cookie without the matching proof' };
    if (!isFromPageAt(signIn.origin, request)) return { reason: 'it does not come from the origin that signed in' };
    const principal = this.#principalOf(signIn);
    return principal ? { principal } : { reason: 'the API key of its sign-in is no longer valid' };
  }

  /**
   * Returns the principal ids of all sign-ins that would be accepted now; an empty set if their folder cannot be
   * trusted.
   *
   * @throws The system's error if the folder cannot be read.
   */
  accepted(): ReadonlySet<string> {
    try {
      const valid = this.#files.list().filter((signIn) => this.#principalOf(signIn) !== undefined);
      return new Set(valid.map(({ id }) => principalIdOf(id)));
    } catch (error) {
      if (error instanceof TerminalError) return new Set();
      throw error;
    }
  }

  /**
   * Returns the sign-ins that a caller is allowed to see and end, oldest first: for an owner, everyone's; for other
   * callers, only their own.
   */
  shownTo(caller: Principal): ShownSignIn[] {
    const account = accountOf(caller);
    const own = this.#files.list().filter(({ as }) => as === account || mayDo(caller.role, 'manage'));
    return own.map(({ id, name, browser, created, lastUsedMs }) => {
      const lastUsed = new Date(lastUsedMs).toISOString();
      return { id, name, browser, created, lastUsed, isCurrent: id === caller.signIn?.id };
    });
  }

  /**
   * Ends a sign-in, whose further requests are then refused. @throws `SIGN_IN_NOT_FOUND` if the caller is not shown a
   * sign-in with this id.
   */
  end(id: string, caller: Principal): void {
    if (!this.shownTo(caller).some((signIn) => signIn.id === id))
      throw new TerminalError('SIGN_IN_NOT_FOUND', `There is no sign-in ${id}`, { signInId: id });
    this.#files.end(id);
  }

  /** Ends all sign-ins of the caller's account. */
  endAllOf(caller: Principal): void {
    const account = accountOf(caller);
    for (const { id, as } of this.#files.list()) if (as === account) this.#files.end(id);
  }

  #principalOf({ id, as }: StoredSignIn): Principal | undefined {
    const account = as === localPrincipal().id ? localPrincipal() : this.#keys.principalOf(as);
    return account && { ...account, id: principalIdOf(id), signIn: { id, as } };
  }
}

function principalIdOf(id: string): string {
  return PREFIX + id;
}

/** Returns whether a principal id identifies a sign-in. */
export function isSignIn(principalId: string): boolean {
  return principalId.startsWith(PREFIX);
}
