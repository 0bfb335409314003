import { BackPressure } from './back-pressure.js';

const KIB = 1 << 10;

/** Records pauses, and lets time pass on request. */
function underTest() {
  const states: boolean[] = [];
  let due: (() => void) | null = null;
  const waits: number[] = [];
  const pressure = new BackPressure((ms, call) => {
    waits.push(ms);
    due = call;
    return () => (due = null);
  });
  pressure.onPause = (isPaused) => states.push(isPaused);
  return { pressure, states, waits, timeIsUp: () => due?.(), isWaiting: () => due !== null };
}

it('never pauses a program whose client does not report what it draws', () => {
  const { pressure, states } = underTest();
  pressure.printed(1 << 30);
  pressure.heard();
  expect(states).toEqual([]);
});

it('pauses above 256 KiB that are not drawn, and resumes below 32 KiB', () => {
  const { pressure, states, isWaiting } = underTest();
  pressure.drawn(0, 0);
  pressure.printed(256 * KIB);
  expect(states).toEqual([]);
  pressure.printed(256 * KIB + 1);
  pressure.printed(270 * KIB);
  expect(states).toEqual([true]);
  pressure.drawn(238 * KIB, 270 * KIB);
  expect(states).toEqual([true]);
  pressure.drawn(238 * KIB + 1, 270 * KIB);
  expect([states, isWaiting()]).toEqual([[true, false], false]);
});

it('pauses at a report that is already far behind', () => {
  const { pressure, states } = underTest();
  pressure.drawn(10, 10 + 257 * KIB);
  expect(states).toEqual([true]);
});

it('counts no more as drawn than was printed, and never less than before', () => {
  const { pressure, states } = underTest();
  pressure.drawn(1 << 30, 0);
  pressure.printed(257 * KIB);
  expect(states).toEqual([true]);
  pressure.drawn(257 * KIB, 257 * KIB);
  pressure.drawn(5, 257 * KIB);
  expect(states).toEqual([true, false]);
});

it('waits longer for a client that says something, and resumes when it says nothing', () => {
  const { pressure, states, waits, timeIsUp } = underTest();
  pressure.maxSilenceMs = 7;
  pressure.drawn(0, 0);
  pressure.heard();
  expect(waits).toEqual([]);
  pressure.printed(300 * KIB);
  pressure.heard();
  pressure.drawn(1, 300 * KIB);
  expect(waits).toEqual([7, 7, 7]);
  timeIsUp();
  expect(states).toEqual([true, false]);
});

it('ignores a client that was silent until it has drawn more', () => {
  const { pressure, states, timeIsUp } = underTest();
  pressure.drawn(100, 100);
  pressure.printed(300 * KIB);
  timeIsUp();
  pressure.drawn(100, 300 * KIB);
  pressure.heard();
  pressure.printed(900 * KIB);
  expect(states).toEqual([true, false]);
  pressure.drawn(101, 900 * KIB);
  expect(states).toEqual([true, false, true]);
});

it('resumes at once when the client no longer draws, and begins anew with the next one', () => {
  const { pressure, states, isWaiting } = underTest();
  pressure.drawn(500, 500);
  pressure.printed(300 * KIB);
  pressure.stop();
  pressure.stop();
  expect([states, isWaiting()]).toEqual([[true, false], false]);
  pressure.printed(1 << 30);
  expect(states).toEqual([true, false]);
  pressure.drawn(1, 300 * KIB);
  expect(states).toEqual([true, false, true]);
});
