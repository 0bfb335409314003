/** Determines which addresses and names refer to this machine. Pure; resolves no names. */
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * The IPv6 hosts that count as this machine. Unlike `LOOPBACK`, this list matches no IPv4-mapped addresses, because
 * browsers do not treat those as local.
 */
const IPV6_LOOPBACK = new BlockList();
IPV6_LOOPBACK.addAddress('::1', 'ipv6');

/** Returns whether an IP address is a loopback address, including IPv4-mapped IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns whether a bare host name or address can only refer to this machine. The only such name is `localhost`: the
 * owner of any other name could make it resolve to this machine.
 */
export function isLoopbackHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 6) return IPV6_LOOPBACK.check(address, 'ipv6');
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(address);
}
