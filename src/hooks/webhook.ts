/**
 * Sends one event in a POST request, signed as Standard Webhooks (https://www.standardwebhooks.com) specifies. Resolves
 * the host name once, checks the addresses, and connects only to one of them.
 */
import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { abortable } from '../abortable.js';
import { HOOK_HEADER } from '../access/request-headers.js';
import { TerminalError } from '../errors.js';
import { VERSION } from '../version.js';
import { isPublicAddress } from './public-address.js';

const SECRET_PREFIX = 'whsec_';
const MS_PER_SECOND = 1000;
export const WEBHOOK_TIMEOUT_MS = 10_000;

export interface Webhook {
  readonly url: string;
  readonly secret: string;
  /** Whether the URL may lead to this machine and to private networks. */
  readonly mayBePrivate: boolean;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
}

/**
 * Resolves to the addresses of a host name, or to the host itself if it is an address. The result is not used if
 * `signal` has aborted.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>;

export const resolveBySystem: Resolve = (host) => lookup(host, { all: true });

/**
 * Resolves when the receiver has responded with 2xx. Does not read the body of the response.
 *
 * @param id - Identifies the event: the same for each attempt.
 * @throws An error that describes why the event was not delivered; the reason of `signal` if it aborts.
 */
export async function sendWebhook(
  hook: Webhook,
  id: string,
  body: string,
  signal: AbortSignal,
  timeoutMs = WEBHOOK_TIMEOUT_MS,
): Promise<void> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const addresses = await checkedAddresses(hook, end);
  const status = await post(hook, addresses, { id, body }, end);
  if (status >= 200 && status < 300) return;
  const isRedirect = status >= 300 && status < 400;
  throw new Error(`the receiver responded with ${status}${isRedirect ? '; redirects are not followed' : ''}`);
}

/**
 * Resolves the host name in the URL and checks its addresses. If one address is refused, so is the name, even if others
 * are public.
 *
 * @throws `INVALID_INPUT` if an address is refused; the resolver's error if the name cannot be resolved; the reason of
 * `signal` if it aborts.
 */
export async function checkedAddresses(hook: Omit<Webhook, 'secret'>, signal: AbortSignal): Promise<LookupAddress[]> {
  const { url, mayBePrivate, resolve = resolveBySystem } = hook;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  // A look-up cannot be cancelled.
  const addresses = await abortable(resolve(host, signal), signal);
  const refused = mayBePrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (refused === undefined) return addresses;
  const what = host === refused.address ? host : `${host} (${refused.address})`;
  const message = `url: ${what} is not a public address; only the server's own user can use other addresses`;
  throw new TerminalError('INVALID_INPUT', message);
}

interface Message {
  readonly id: string;
  readonly body: string;
}

function post(hook: Webhook, addresses: LookupAddress[], message: Message, signal: AbortSignal): Promise<number> {
  const send = hook.url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // No agent, because a reused connection could lead to an address that was checked for another hook.
    const options = { method: 'POST', agent: false, headers: headersOf(hook, message), signal };
    const sent = send(new URL(hook.url), { ...options, lookup: always(addresses) }, (response) => {
      resolve(response.statusCode!);
      response.destroy();
    });
    sent.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    sent.end(message.body);
  });
}

function headersOf({ secret }: Webhook, { id, body }: Message) {
  const timestamp = String(Math.floor(Date.now() / MS_PER_SECOND));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    [HOOK_HEADER]: '1',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': `tenacitty/${VERSION}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

function always(addresses: LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    if (all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
