/**
 * Determines the client address of a request: the peer's own or, if the peer is a trusted proxy, the address that the
 * proxy reports. It is used for the log and for counting failures, never for granting access. Pure.
 */
import { BlockList, isIP } from 'node:net';

/** A network such as `10.0.0.0/8`, or a single address. */
export type Network = string;

/** Longest chain of trusted proxies that is followed. */
const MAX_PROXIES = 20;

export class ClientAddresses {
  readonly #proxies = new BlockList();

  constructor(trustedProxies: readonly Network[]) {
    for (const network of trustedProxies) {
      const { address, bits, family } = parseNetwork(network)!;
      this.#proxies.addSubnet(address, bits, family);
    }
  }

  /**
   * Returns the nearest address that is not a trusted proxy. The caller can forge only the entries to the left of that
   * address in `X-Forwarded-For`, which are ignored.
   *
   * @param peer - The other end of the connection.
   * @param forwardedFor - Values of `X-Forwarded-For`, in order.
   */
  of(peer: string, forwardedFor: readonly string[]): string {
    let address = plainAddress(peer);
    let rest = forwardedFor.join(',');
    // Anybody can send a long list, so only the entries that trusted proxies added are parsed.
    for (let proxies = 0; proxies < MAX_PROXIES && this.#isProxy(address); proxies++) {
      const comma = rest.lastIndexOf(',');
      const before = bareAddress(rest.slice(comma + 1));
      if (before === undefined) break;
      address = before;
      rest = rest.slice(0, Math.max(comma, 0));
    }
    return address;
  }

  #isProxy(address: string): boolean {
    return this.#proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

const MAX_BITS = { ipv4: 32, ipv6: 128 } as const;

/** Parses an address with an optional `/bits`; returns undefined if it is invalid. */
export function parseNetwork(text: string) {
  const [, address = '', given] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const family = version === 6 ? ('ipv6' as const) : ('ipv4' as const);
  const bits = given === undefined ? MAX_BITS[family] : Number(given);
  return bits <= MAX_BITS[family] ? { address, bits, family } : undefined;
}

/**
 * Parses an address as proxies write it: with or without a port, and for IPv6, with or without brackets. Returns
 * undefined if it is not an address.
 */
function bareAddress(text: string): string | undefined {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? [];
  const address = plainAddress(bracketed ?? v4 ?? text.trim());
  return isIP(address) === 0 ? undefined : address;
}

/** Converts an IPv4-mapped IPv6 address, as dual-stack sockets report it, to IPv4. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
