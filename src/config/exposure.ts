/** Describes from where a server can be reached, and warns about the consequences. Pure; uses only the settings. */
import { isLoopbackHost } from '../access/loopback.js';
import type { Options } from './options.js';

export interface Exposure {
  /** The interfaces that other machines can reach the server on; undefined if there are none. */
  readonly interfaces?: string;
  /** A warning for the operator. */
  readonly warning?: string;
}

const PLAIN =
  'plain HTTP beyond this machine: keys, input and output can be read on the network. Set TENACITTY_TLS_CERT and ' +
  'TENACITTY_TLS_KEY, or use a reverse proxy with HTTPS.';

export function exposure({ host, tls }: Pick<Options, 'host' | 'tls'>): Exposure {
  if (isLoopbackHost(host)) return {};
  const isAll = host === '0.0.0.0' || /^(0*:)+0*$/.test(host);
  const interfaces = isAll ? `all interfaces (${host})` : host;
  return { interfaces, ...(tls === null && { warning: PLAIN }) };
}
