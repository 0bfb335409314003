/** The pure parts of the page on a phone: its key bar, its field, and the last lines. */
import fc from 'fast-check';
import type { CommandRecord } from '../../src/contract/command.js';
import { encodeKey } from '../../src/terminal/input/key-names.js';
import {
  BAR,
  isArmed,
  isCharacter,
  isModifier,
  named,
  NO_MODIFIERS,
  tapped,
  used,
} from '../../web/src/phone/key-state.js';
import { differenceOf, sentFor } from '../../web/src/phone/keystrokes.js';
import { commandAt, EMPTY_TAIL, withPage } from '../../web/src/phone/tail-lines.js';

describe('the key bar', () => {
  const once = tapped(NO_MODIFIERS, 'ctrl');
  const held = tapped(once, 'ctrl');

  test('holds Ctrl for one key, and after a second tap until a third', () => {
    expect([named('c', once), named('c', used(once)), isArmed(used(once))]).toEqual(['ctrl-c', 'c', false]);
    expect([named('c', used(used(held))), isArmed(tapped(held, 'ctrl'))]).toEqual(['ctrl-c', false]);
  });

  test('combines modifiers, and adds none twice', () => {
    const both = tapped(once, 'alt');
    expect(['up', ' ', 'ctrl-c'].map((key) => named(key, both))).toEqual([
      'ctrl-alt-up',
      'ctrl-alt-space',
      'alt-ctrl-c',
    ]);
    expect(used(tapped(held, 'alt'))).toEqual({ ctrl: 'held', alt: 'off' });
  });

  test('has only keys that the server knows', () => {
    const keys = BAR.map(({ key }) => key).filter((key) => !isModifier(key) && !isCharacter(key) && key !== 'paste');
    const modes = { applicationCursorKeys: true };
    for (const key of keys) {
      expect(encodeKey(named(key, NO_MODIFIERS), modes, key)).not.toBe('');
      expect(encodeKey(named(key, once), modes, key)).not.toBe('');
    }
  });
});

describe('the field', () => {
  test('sends only what has changed', () => {
    expect(differenceOf('', 'a')).toEqual({ removed: 0, added: 'a' });
    expect(differenceOf('teh', 'the ')).toEqual({ removed: 2, added: 'he ' });
    expect(differenceOf('a😀', 'a')).toEqual({ removed: 1, added: '' });
  });

  test('leads from the text before to the text after', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const { removed, added } = differenceOf(before, after);
        const old = [...before];
        expect(old.slice(0, old.length - removed).join('') + added).toBe(after);
      }),
    );
  });

  const key = (name: string, change = {}) => ({
    ...{ key: name, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, ...change },
  });
  const empty = { isByKey: false, isEmpty: true, hasSelection: false };
  const filled = { ...empty, isEmpty: false };
  const ctrl = { ctrlKey: true };

  test.each([
    ['ArrowUp', {}, filled, 'up'],
    ['ArrowLeft', {}, filled, null],
    ['ArrowLeft', {}, { ...filled, isByKey: true }, 'left'],
    ['Backspace', {}, empty, 'backspace'],
    ['Backspace', {}, filled, null],
    ['Tab', {}, empty, null],
    ['c', ctrl, filled, 'ctrl-c'],
    ['c', ctrl, { ...filled, hasSelection: true }, null],
    ['v', ctrl, { ...empty, isByKey: true }, null],
    ['a', ctrl, { ...empty, isByKey: true }, 'ctrl-a'],
    ['a', ctrl, filled, null],
    ['x', {}, empty, null],
  ])('%s %j in %j sends %s', (name, change, field, sent) => expect(sentFor(key(name, change), field)).toBe(sent));
});

describe('the last lines', () => {
  const entries = (from: number, ...texts: string[]) => texts.map((text, index) => ({ line: from + index, text }));

  test('keep what is final and replace the rest', () => {
    const first = withPage(EMPTY_TAIL, { entries: entries(7, 'a', 'b', 'c'), mutableFrom: 8 }, 0);
    const next = withPage(first, { entries: entries(8, 'B', 'C', 'D'), mutableFrom: 10 }, first.mutableFrom);
    expect(next.lines.map(({ text }) => text)).toEqual(['a', 'B', 'C', 'D']);
    expect(withPage(next, { entries: [], mutableFrom: 10 }, 10).lines).toHaveLength(3);
  });

  test('are a limited number', () => {
    const many = entries(0, ...Array.from({ length: 2000 }, () => ''));
    expect(withPage(EMPTY_TAIL, { entries: many, mutableFrom: 2000 }, 0).lines).toHaveLength(600);
  });

  test('belong to the innermost command', () => {
    const command = (commandId: number, fromLine: number, toLine: number | null) =>
      ({ commandId, fromLine, toLine }) as CommandRecord;
    const all = [command(1, 0, 3), command(2, 5, null), command(3, 6, 8)];
    expect([2, 4, 5, 7, 9].map((line) => commandAt(all, line)?.commandId)).toEqual([1, undefined, 2, 3, 2]);
  });
});
