import { isLoopbackAddress, isLoopbackHost } from './loopback.js';

describe('isLoopbackAddress', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])('says yes to %s', (address) => {
    expect(isLoopbackAddress(address)).toBe(true);
  });

  it.each(['', '0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', '127.1', 'localhost', 'fe80::1'])(
    'says no to "%s"',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(false);
    },
  );
});

describe('isLoopbackHost', () => {
  it.each(['localhost', 'LocalHost', '127.0.0.1', '[::1]', '::1', '[0:0:0:0:0:0:0:1]'])('says yes to %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each(['localhost.', 'a.localhost', 'localhost.evil.example', '[::1', '127.0.0.1.evil.example', '2130706433'])(
    'says no to %s, which someone else may own',
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
