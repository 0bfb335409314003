import { RateLimits, sourceOf } from './rate-limits.js';

describe('sourceOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', 'loopback'],
    ['127.4.5.6', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::2', '0:0:0:0'],
    ['', ''],
  ])('counts %s as %s', (address, source) => {
    expect(sourceOf(address)).toBe(source);
  });
});

describe('RateLimits', () => {
  it('counts no requests if the limit is 0', async () => {
    const limits = new RateLimits(0);
    expect(await limits.countRequests('a', 1)).toEqual({ isOver: false, headers: {} });
  });

  it('counts the requests of each caller separately', async () => {
    const limits = new RateLimits(1);
    expect((await limits.countRequests('a', 1)).isOver).toBe(false);
    expect((await limits.countRequests('a', 1)).isOver).toBe(true);
    expect((await limits.countRequests('b', 1)).isOver).toBe(false);
  });
});
