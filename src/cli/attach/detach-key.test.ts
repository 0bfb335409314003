import { resolveOptions } from '../../config.js';
import { DetachFinder, detachKeyOf, readDetachKey } from './detach-key.js';

/** Returns what is typed, piece by piece, and `detached` at the end if the keys were found. */
function typedOf(keys: string, ...pieces: string[]): string[] {
  const finder = new DetachFinder(readDetachKey(keys)!);
  const results: string[] = [];
  for (const piece of pieces) {
    const { typed, isLeaving } = finder.take(piece);
    results.push(typed);
    if (isLeaving) return [...results, 'detached'];
  }
  return results;
}

it('is Ctrl-\\ by default', () => {
  expect(detachKeyOf(resolveOptions({ argv: [], env: {}, cwd: '/' }).options).label).toBe('Ctrl-\\');
  expect(typedOf('ctrl-\\', 'ab\x1ccd')).toEqual(['ab', 'detached']);
});

it.each([
  ['ctrl-q', '\x11', 113],
  ['Ctrl-Q', '\x11', 113],
  ['^]', '\x1d', 93],
  ['ctrl-_', '\x1f', 95],
  ['ctrl+a', '\x01', 97],
  ['C-a', '\x01', 97],
])('is recognised for %s in every encoding that terminals send', (text, byte, code) => {
  for (const sent of [byte, `\x1b[${code};5u`, `\x1b[${code};133u`, `\x1b[${code};5:1u`, `\x1b[27;5;${code}~`]) {
    expect(typedOf(text, `x${sent}y`)).toEqual(['x', 'detached']);
  }
  for (const sent of ['q', `\x1b[${code}u`, `\x1b[${code};2u`, `\x1b[${code};5:3u`, '\x1b[A', `\x1b[1${code};5u`]) {
    expect(typedOf(text, sent)).toEqual([sent]);
  }
});

it('can be two keys, in one piece or in several', () => {
  expect(readDetachKey('ctrl-p,ctrl-q')!.label).toBe('Ctrl-P Ctrl-Q');
  expect(typedOf('ctrl-p,ctrl-q', 'a\x10\x11b')).toEqual(['a', 'detached']);
  expect(typedOf('ctrl-p,ctrl-q', 'a\x10', '\x11')).toEqual(['a', '', 'detached']);
  expect(typedOf('ctrl-a,d', '\x1b[97;5u', 'd')).toEqual(['', '', 'detached']);
});

it('types the first of two keys if another key follows, and once if it is pressed twice', () => {
  expect(typedOf('ctrl-p,ctrl-q', '\x10', 'x')).toEqual(['', '\x10x']);
  expect(typedOf('ctrl-p,ctrl-q', '\x11\x10x\x11')).toEqual(['\x11\x10x\x11']);
  expect(typedOf('ctrl-p,ctrl-q', '\x10\x10', '\x11')).toEqual(['\x10', '\x11']);
  expect(typedOf('ctrl-\\,ctrl-\\', '\x1c', '\x1c')).toEqual(['', '', 'detached']);
});

it('can be none', () => expect(typedOf('none', '\x1c\x10')).toEqual(['\x1c\x10']));

it.each(['q', 'ctrl-', 'ctrl-[', 'ctrl-qq', 'alt-q', '', 'a,ctrl-b', 'ctrl-a,', 'ctrl-a,b,c', 'ctrl-a,.'])(
  'does not accept %j',
  (text) => {
    expect(readDetachKey(text)).toBeUndefined();
    expect(settingOf(text)).toBeUndefined();
  },
);

/** Returns the value that the settings accept, or undefined. */
function settingOf(text: string): string | undefined {
  try {
    return resolveOptions({ argv: [`--detach-key=${text}`], env: {}, cwd: '/' }).options.detachKey;
  } catch {
    return undefined;
  }
}

it.each(['none', 'ctrl-q', 'C-a', '^]', 'ctrl-p,ctrl-q', 'ctrl-a,d'])('is also accepted as a setting: %s', (text) => {
  expect(settingOf(text)).toBe(text);
});
