/**
 * Determines which addresses are on the public internet. All others (this machine, private networks, link-local,
 * carrier NAT, multicast, reserved addresses, and all that embed an IPv4 address) may lead to services that trust this
 * machine.
 */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { parseNetwork } from '../access/client-address.js';

/** The only IPv6 block that public addresses are assigned from. */
const ASSIGNED_IPV6 = blockList('2000::/3');
/** The special-purpose networks of IPv4, and those within `ASSIGNED_IPV6`, according to the IANA registries. */
const SPECIAL = blockList(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 ' +
    '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
);

/**
 * Returns whether an IP address is public and not one of this machine's own, whose services an external firewall may
 * protect. Returns false for anything that is not an address.
 *
 * @param own - The addresses of this machine.
 */
export function isPublicAddress(address: string, own = ownAddresses()): boolean {
  if (own.includes(address)) return false;
  const version = isIP(address);
  if (version === 4) return !SPECIAL.check(address, 'ipv4');
  return version === 6 && ASSIGNED_IPV6.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}

function blockList(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(' ')) {
    const { address, bits, family } = parseNetwork(network)!;
    list.addSubnet(address, bits, family);
  }
  return list;
}
