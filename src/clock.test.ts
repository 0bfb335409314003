import { conservativeNow, monotonicMs } from './clock.js';

const DAY_MS = 86_400_000;

const now = Date.now.bind(Date);
afterEach(() => void (Date.now = now));

/** Sets the wall clock ahead. */
function setAhead(ms: number): void {
  Date.now = () => now() + ms;
}

describe('the clock for durations', () => {
  it('is independent of the time of day', () => {
    const before = monotonicMs();
    setAhead(DAY_MS);
    expect(monotonicMs() - before).toBeLessThan(DAY_MS);
    expect(monotonicMs()).toBeGreaterThanOrEqual(before);
  });
});

describe('the time of day for age limits', () => {
  it('makes nothing older that was stored before the clock was set ahead', () => {
    const kept = conservativeNow();
    setAhead(60 * DAY_MS);
    expect(conservativeNow() - kept).toBeLessThan(DAY_MS);
  });

  it('makes nothing older that is stored after the clock was set back', () => {
    setAhead(-60 * DAY_MS);
    expect(conservativeNow() - Date.now()).toBeLessThan(DAY_MS);
  });
});
