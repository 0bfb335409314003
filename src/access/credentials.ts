/** Finds the API key in a request. Does not check whether it is valid. */
import type { IncomingMessage } from 'node:http';
import { valuesOf } from './request-headers.js';

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'unclear'; readonly reason: string };

const BEARER = /^Bearer +([^\s]+)$/i;

/** Returns the API key from `Authorization: Bearer …` or `X-API-Key`. Both headers may be sent if they agree. */
export function credentialsOf(request: IncomingMessage): Credentials {
  const authorizations = valuesOf(request, 'authorization');
  const apiKeys = valuesOf(request, 'x-api-key');
  const bearers = authorizations.map((value) => BEARER.exec(value.trim())?.[1]);
  if (bearers.includes(undefined)) return unclear('the Authorization header is not `Bearer <key>`');
  const keys = new Set([...bearers, ...apiKeys]);
  const [key] = keys;
  if (keys.size > 1) return unclear('it has two different API keys');
  if (key === '') return unclear('its API key is empty');
  return key === undefined ? { kind: 'none' } : { kind: 'key', key };
}

function unclear(reason: string): Credentials {
  return { kind: 'unclear', reason };
}
