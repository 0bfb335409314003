/**
 * Manages the sign-in. Only this module knows how the server admits a browser: it requires both a cookie, which scripts
 * cannot read, and a proof, which the browser stores for this origin (including its port).
 */
import { TenacittyClient, type LiveOptions } from 'tenacitty/client';
import { signal } from '@preact/signals';

/** Who is signed in, as `GET /api/me` returns it. */
export interface Me {
  readonly signInId: string;
  readonly name: string;
}

/** One sign-in of this person, as `GET /api/sign-ins` returns it. */
export interface SignIn {
  readonly id: string;
  readonly name: string;
  /** The `User-Agent` of the browser that signed in. */
  readonly browser: string;
  readonly created: string;
  readonly lastUsed: string;
  readonly isCurrent: boolean;
}

export type Credential = { readonly code: string } | { readonly key: string };

export class Refused extends Error {
  constructor(
    message: string,
    readonly retryAfterS: number | null,
  ) {
    super(message);
  }
}

const PROOF_PLACE = 'tenacitty.proof';
const PROOF_HEADER = 'X-Tenacitty-Proof';
const PROOF_PROTOCOL = 'tenacitty.proof.';
const NOT_VALID = 'That code is no longer valid. A code works once and expires soon.';

let proof = localStorage.getItem(PROOF_PLACE);

/** Null if no one is signed in; undefined until that is known. */
export const me = signal<Me | null | undefined>(proof === null ? null : undefined);

const plainFetch = globalThis.fetch.bind(globalThis);
// Wraps `fetch`, because the client cannot add headers itself. Only requests to this origin receive the proof.
globalThis.fetch = (target, options) => plainFetch(target, withProof(target, options));

function withProof(target: RequestInfo | URL, options: RequestInit = {}): RequestInit {
  const address = target instanceof Request ? target.url : String(target);
  if (proof === null || new URL(address, location.href).origin !== location.origin) return options;
  const headers = new Headers(options.headers);
  headers.set(PROOF_HEADER, proof);
  return { ...options, headers, credentials: 'same-origin' };
}

/** Sends the proof as one of the WebSocket's subprotocols, because scripts cannot add headers to an upgrade. */
class ProvenSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, proof === null ? protocols : [...protocols, PROOF_PROTOCOL + proof]);
  }
}

export const client = new TenacittyClient();
export const liveSocket = ProvenSocket as unknown as NonNullable<LiveOptions['WebSocket']>;

async function ask<Data>(path: string, options: RequestInit = {}): Promise<Data> {
  const headers = { ...(options.body ? { 'Content-Type': 'application/json' } : {}) };
  const response = await fetch(path, { ...options, headers });
  if (response.status === 401) forget();
  if (!response.ok) throw await refusal(response);
  return ((await response.json()) as { data: Data }).data;
}

async function refusal(response: Response): Promise<Refused> {
  const answer = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  const seconds = Number(response.headers.get('Retry-After'));
  if (response.status === 429) return new Refused(`Too many attempts. Try again in ${seconds || 30} s.`, seconds || 30);
  return new Refused(answer.error?.message ?? `The server responded with ${response.status}`, null);
}

/** Exchanges a code or a key for a sign-in. @throws Refused */
export async function signIn(credential: Credential): Promise<void> {
  const body = JSON.stringify(credential);
  const given = await ask<{ proof: string }>('/api/sign-ins', { method: 'POST', body }).catch((error: unknown) => {
    const isLimit = error instanceof Refused && error.retryAfterS !== null;
    throw isLimit || !('code' in credential) || !(error instanceof Refused) ? error : new Refused(NOT_VALID, null);
  });
  proof = given.proof;
  localStorage.setItem(PROOF_PLACE, proof);
  await findMe();
}

/** Finds out who is signed in. If there is no proof, sends no request. */
export async function findMe(): Promise<void> {
  if (proof === null) me.value = null;
  else me.value = await ask<Me>('/api/me');
}

/** Deletes the proof; the server admits no one with the cookie alone. */
export function forget(): void {
  proof = null;
  localStorage.removeItem(PROOF_PLACE);
  me.value = null;
}

export function listSignIns(): Promise<{ signIns: SignIn[] }> {
  return ask('/api/sign-ins');
}

export async function endSignIn(id: string): Promise<void> {
  await ask(`/api/sign-ins/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (id === me.value?.signInId) forget();
}

/** Ends all sign-ins of this account, including this one. */
export async function endAllSignIns(): Promise<void> {
  await ask('/api/sign-ins', { method: 'DELETE' });
  forget();
}

export async function signOut(): Promise<void> {
  const id = me.value?.signInId;
  if (id !== undefined) await endSignIn(id);
  forget();
}

/** The formats that a terminal's output can be downloaded in. */
export type DownloadKind = 'text' | 'ansi' | 'raw';

/** Downloads by submitting a form that contains a one-time ticket, so no secret appears in a URL or a log. */
export async function download(terminalId: string, kind: DownloadKind): Promise<void> {
  const body = JSON.stringify({ terminalId, format: kind });
  const { ticket } = await ask<{ ticket: string }>('/api/download-tickets', { method: 'POST', body });
  const form = document.createElement('form');
  const field = document.createElement('input');
  Object.assign(form, { method: 'POST', action: '/api/downloads', hidden: true });
  Object.assign(field, { name: 'ticket', value: ticket });
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
}
