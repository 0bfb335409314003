/** Who else can reach a server, and what that means. Pure; it knows what is set and looks nothing up. */
import { isLoopbackHost } from '../access/loopback.js';
import type { Options } from './options.js';

export interface Exposure {
  /** Where it listens beyond this machine, in words; undefined: nowhere. */
  readonly interfaces?: string;
  /** What whoever runs it should know of that. */
  readonly warning?: string;
}

const PLAIN =
  'plain HTTP beyond this machine: keys, and all that is typed and printed, can be read on the way. Set ' +
  'TENACITTY_TLS_CERT and TENACITTY_TLS_KEY, or put a proxy with HTTPS before it.';

export function exposure({ host, tls }: Pick<Options, 'host' | 'tls'>): Exposure {
  if (isLoopbackHost(host)) return {};
  const isAll = host === '0.0.0.0' || /^(0*:)+0*$/.test(host);
  const interfaces = isAll ? `all interfaces (${host})` : host;
  return { interfaces, ...(tls === null && { warning: PLAIN }) };
}
