import { DEFAULT_DETACH_KEY, readDetachKey } from './detach-key.js';

it('is Ctrl-\\ by default', () => {
  expect(DEFAULT_DETACH_KEY.label).toBe('Ctrl-\\');
  expect('ab\x1ccd'.search(DEFAULT_DETACH_KEY.pattern)).toBe(2);
});

it.each([
  ['ctrl-q', '\x11', 113],
  ['Ctrl-Q', '\x11', 113],
  ['^]', '\x1d', 93],
  ['ctrl-_', '\x1f', 95],
])('is recognised for %s in every encoding that terminals send', (text, byte, code) => {
  const { pattern } = readDetachKey(text)!;
  for (const sent of [byte, `\x1b[${code};5u`, `\x1b[${code};133u`, `\x1b[${code};5:1u`, `\x1b[27;5;${code}~`]) {
    expect(`x${sent}`.search(pattern)).toBe(1);
  }
  for (const sent of ['q', `\x1b[${code}u`, `\x1b[${code};2u`, `\x1b[${code};5:3u`, '\x1b[A', `\x1b[1${code};5u`]) {
    expect(sent.search(pattern)).toBe(-1);
  }
});

it.each(['q', 'ctrl-', 'ctrl-[', 'ctrl-qq', 'alt-q', ''])('does not accept %j', (text) => {
  expect(readDetachKey(text)).toBeUndefined();
});
