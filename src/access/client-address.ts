/**
 * Determines the address of a request: the peer's or, if that is a trusted proxy, the address that the proxy reports.
 * Used for the log and for counting failures, never for granting access. Pure.
 */
import { BlockList, isIP } from 'node:net';

/** A network such as `10.0.0.0/8`, or a single address. */
export type Network = string;

export class ClientAddresses {
  readonly #proxies = new BlockList();

  constructor(trustedProxies: readonly Network[]) {
    for (const network of trustedProxies) {
      const { address, bits, family } = parseNetwork(network)!;
      this.#proxies.addSubnet(address, bits, family);
    }
  }

  /**
   * Returns the nearest address that is not a trusted proxy. Entries that the caller itself wrote into
   * `X-Forwarded-For` are to the left of it.
   *
   * @param peer - The other end of the connection.
   * @param forwardedFor - Values of `X-Forwarded-For`, in order.
   */
  of(peer: string, forwardedFor: readonly string[]): string {
    let address = plain(peer);
    const named = forwardedFor.flatMap((value) => value.split(',')).map(bareAddress);
    while (this.#isProxy(address)) {
      const before = named.pop();
      if (before === undefined) break;
      address = before;
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
 * Parses an address as proxies write it: optionally with a port, IPv6 optionally in brackets. Returns undefined if it
 * is not an address.
 */
function bareAddress(text: string): string | undefined {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? [];
  const address = plain(bracketed ?? v4 ?? text.trim());
  return isIP(address) === 0 ? undefined : address;
}

/** Converts an IPv4-mapped IPv6 address, as dual-stack sockets report it, to IPv4. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
