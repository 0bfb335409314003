import { ClientAddresses, parseNetwork } from './client-address.js';

const PROXIES = new ClientAddresses(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);

describe('the address of a caller', () => {
  it.each([
    [
      '203.0.113.7',
      ['198.51.100.1'],
      '203.0.113.7',
      'is the peer address if that is not a trusted proxy, whatever it sends',
    ],
    ['127.0.0.1', ['198.51.100.1'], '198.51.100.1', 'is what a trusted proxy names'],
    ['::ffff:127.0.0.1', ['198.51.100.1'], '198.51.100.1', 'is found for a socket that accepts IPv4 and IPv6'],
    ['127.0.0.1', ['1.1.1.1, 198.51.100.1, 10.1.2.3'], '198.51.100.1', 'is the last that is no trusted proxy'],
    ['127.0.0.1', ['1.1.1.1', '198.51.100.1'], '198.51.100.1', 'is looked for in all headers, the last one first'],
    ['127.0.0.1', ['198.51.100.1:4711'], '198.51.100.1', 'may come with a port'],
    ['2001:db8::1', ['[2001:db9::5]:4711'], '2001:db9::5', 'may be IPv6 with a port'],
    ['127.0.0.1', ['1.1.1.1, unknown'], '127.0.0.1', 'is the proxy where that names none'],
    ['127.0.0.1', [], '127.0.0.1', 'is the proxy where nothing was forwarded'],
    ['127.0.0.1', ['10.0.0.1'], '10.0.0.1', 'is the farthest proxy where there is nothing else'],
  ])('%s %j: %s %s', (peer, forwarded, expected) => {
    expect(PROXIES.of(peer, forwarded)).toBe(expected);
  });

  it('is found without parsing what no trusted proxy has written, and along at most twenty of them', () => {
    const long = Array(16_000).fill('10.0.0.1').join(',');
    expect(PROXIES.of('203.0.113.7', [long])).toBe('203.0.113.7');
    expect(PROXIES.of('127.0.0.1', [`${long},198.51.100.1`])).toBe('198.51.100.1');
    const chain = Array.from({ length: 30 }, (_, index) => `10.0.0.${index + 1}`);
    expect(PROXIES.of('127.0.0.1', [chain.join(',')])).toBe('10.0.0.11');
  });

  it('is the peer address if no proxy is trusted', () => {
    expect(new ClientAddresses([]).of('127.0.0.1', ['198.51.100.1'])).toBe('127.0.0.1');
  });
});

it.each(['10.0.0.0/33', '2001:db8::/129', 'proxy', '10.0.0', '10.0.0.0/', ''])('%j is not a network', (text) => {
  expect(parseNetwork(text)).toBeUndefined();
});
