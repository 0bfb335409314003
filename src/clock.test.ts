import { cautiousNow, monotonicMs } from './clock.js';

const DAY_MS = 86_400_000;

const now = Date.now.bind(Date);
afterEach(() => void (Date.now = now));

/** Sets the wall clock ahead. */
function setAhead(ms: number): void {
  Date.now = () => now() + ms;
}

describe('the clock of durations', () => {
  it('does not follow the time of day', () => {
    const before = monotonicMs();
    setAhead(DAY_MS);
    expect(monotonicMs() - before).toBeLessThan(DAY_MS);
    expect(monotonicMs()).toBeGreaterThanOrEqual(before);
  });
});

describe('the time of day by which something is too old', () => {
  it('makes nothing older that was kept before the time was set ahead', () => {
    const kept = cautiousNow();
    setAhead(60 * DAY_MS);
    expect(cautiousNow() - kept).toBeLessThan(DAY_MS);
  });

  it('makes nothing older that is kept after the time was set back', () => {
    setAhead(-60 * DAY_MS);
    expect(cautiousNow() - Date.now()).toBeLessThan(DAY_MS);
  });
});
