import { isLoopbackAddress, isLoopbackHost } from './loopback.js';

describe('isLoopbackAddress', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
    'returns true for %s',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(true);
    },
  );

  it.each(['', '0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', '127.1', 'localhost', 'fe80::1'])(
    'returns false for "%s"',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(false);
    },
  );
});

describe('isLoopbackHost', () => {
  it.each(['localhost', 'LocalHost', '127.0.0.1', '[::1]', '::1', '[0:0:0:0:0:0:0:1]'])(
    'returns true for %s',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  it.each(['localhost.', 'a.localhost', 'localhost.evil.example', '[::1', '127.0.0.1.evil.example', '2130706433'])(
    'returns false for %s, which another person may own',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );

  it.each(['[::ffff:7f00:1]', '::ffff:127.0.0.1', '[0:0:0:0:0:ffff:7f00:1]'])(
    'says no to %s, for which a browser sends less about a page than for names of this machine',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});
