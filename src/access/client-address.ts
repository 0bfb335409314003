/**
 * Which address a request comes from: the peer's, or, where that is a proxy that is trusted, the one that proxy names.
 * For the log and for counting failures; nobody is let in by it. Pure.
 */
import { BlockList, isIP } from 'node:net';

/** A network as `10.0.0.0/8`, or one address. */
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
   * The nearest address that is no trusted proxy. What a caller wrote into `X-Forwarded-For` by itself stands left of it.
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

/** An address with an optional `/bits`, or undefined. */
export function parseNetwork(text: string) {
  const [, address = '', given] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const family = version === 6 ? ('ipv6' as const) : ('ipv4' as const);
  const bits = given === undefined ? MAX_BITS[family] : Number(given);
  return bits <= MAX_BITS[family] ? { address, bits, family } : undefined;
}

/** As proxies write it: perhaps with a port, IPv6 perhaps in brackets; undefined if it is no address. */
function bareAddress(text: string): string | undefined {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? [];
  const address = plain(bracketed ?? v4 ?? text.trim());
  return isIP(address) === 0 ? undefined : address;
}

/** IPv4 written as IPv6, as a socket that takes both has it, is IPv4. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
