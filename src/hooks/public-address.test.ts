/** Tests which addresses count as public. */
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

it.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255'],
  ...[
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '192.169.0.1',
    '198.17.255.255',
    '223.255.255.255',
  ],
  ...['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888'],
])('are public: %s', (address) => expect(isPublicAddress(address)).toBe(true));

it.each([
  // This machine and network, unspecified, broadcast.
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '255.255.255.255', '::', '::1'],
  // Private, carrier NAT, link-local (with the metadata services of clouds).
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255'],
  ...['169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%lo', 'fc00::1', 'fd00:ec2::254', 'fec0::1'],
  // Reserved, documentation, benchmarks, multicast.
  ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', 'ff02::1', '2001:db8::1', '3fff::1', '100::1', '5f00::1'],
  // Embedded IPv4: mapped, compatible, NAT64, 6to4, Teredo.
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
  ...['2002:7f00:1::', '2001::7f00:1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  // Not addresses.
  ...['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '1.1.1.1.', '[::1]', '1.1.1.256'],
])('are not public: %j', (address) => expect(isPublicAddress(address)).toBe(false));

it('do not include an address of this machine', () => {
  expect(isPublicAddress('8.8.8.8', ['10.0.0.1', '8.8.8.8'])).toBe(false);
});

it('include no IPv4 address in another notation', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
      expect(isPublicAddress(`::${address}`)).toBe(false);
      expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
    }),
  );
});
