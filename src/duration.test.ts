import { roundedDuration, parseDuration, formatDuration } from './duration.js';

it.each([
  ['500ms', 500],
  ['0s', 0],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['2d', 172_800_000],
])('parses %s', (text, ms) => expect(parseDuration(text)).toBe(ms));

it.each(['', '5', 'm', '5x', '-5m', '5m ', '5 m', '1e3s', `${'9'.repeat(20)}d`])('refuses %j', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

it.each([
  [0, '0s'],
  [-5, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [7_199_999, '1h'],
  [172_800_000, '2d'],
])('shows %d in short form', (ms, text) => expect(roundedDuration(ms)).toBe(text));

it('formats as it parses', () => {
  expect([0, 500, 2000, 90_000, 86_400_000, 2_592_000_000].map(formatDuration)).toEqual([
    ...['0', '500', '2s', '90s', '1d', '30d'],
  ]);
});
