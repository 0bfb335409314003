import fc from 'fast-check';
import type { TerminalError, InputIssue } from '../../errors.js';
import { encodeInput, type KeyInput } from './keys.js';

const NORMAL = { applicationCursorKeys: false };
const APPLICATION = { applicationCursorKeys: true };

function typed(input: KeyInput, modes = NORMAL): string {
  return Buffer.from(encodeInput(input, modes)).toString('utf8');
}

function issueOf(input: KeyInput): InputIssue {
  try {
    encodeInput(input, NORMAL);
  } catch (error) {
    return ((error as TerminalError).details.issues as InputIssue[])[0]!;
  }
  throw new Error('was accepted');
}

describe('text input', () => {
  it.each([
    ['pwd', 'pwd\r'],
    ['', '\r'],
    ['pwd\n', 'pwd\r'],
    ['pwd\r', 'pwd\r'],
    ['pwd\r\n', 'pwd\r'],
    ['a\nb', 'a\rb\r'],
    ['a\r\nb\r\n', 'a\rb\r'],
    ['a\n\nb', 'a\r\rb\r'],
    ['héllo 世界 👍', 'héllo 世界 👍\r'],
    ['echo \x1b[31mred', 'echo \x1b[31mred\r'],
    ['\x1b:wq', '\x1b:wq\r'],
    ['\x1bOtext', '\x1bOtext\r'],
    ['trailing blank ', 'trailing blank \r'],
  ])('gets an Enter at its end if it has none: %j', (input, expected) => {
    expect(typed({ input })).toBe(expected);
  });

  it.each([
    '\x03',
    '\x04',
    '\t',
    'ls \t',
    '\x1b',
    '\x7f',
    'abc\b',
    '\x1b[A',
    '\x1b[1;5C',
    '\x1bOP',
    '\x1bx',
    '\x1b[3~',
  ])('gets none if it ends in a control character or key sequence: %j', (input) => {
    expect(typed({ input })).toBe(input);
  });

  it('gets no Enter with enter: false, and its line endings are still typed as Enter', () => {
    expect(typed({ input: 'a\nb', enter: false })).toBe('a\rb');
    expect(typed({ input: '', enter: false })).toBe('');
  });

  it('is sent byte for byte with raw: true', () => {
    expect(typed({ input: 'a\r\nb\n', raw: true })).toBe('a\r\nb\n');
    expect(typed({ input: 'pwd', raw: true, enter: true })).toBe('pwd');
  });

  it('is treated the same with enter: true as without it', () => {
    expect(typed({ input: 'pwd', enter: true })).toBe('pwd\r');
    expect(typed({ input: 'pwd\n', enter: true })).toBe('pwd\r');
    expect(typed({ input: '\x03', enter: true })).toBe('\x03');
  });
});

describe('key input', () => {
  it.each([
    ['enter', '\r'],
    ['Return', '\r'],
    ['tab', '\t'],
    ['esc', '\x1b'],
    ['space', ' '],
    ['backspace', '\x7f'],
    ['ctrl-backspace', '\b'],
    ['alt-backspace', '\x1b\x7f'],
    ['shift-tab', '\x1b[Z'],
    ['alt-shift-tab', '\x1b\x1b[Z'],
    ['alt-enter', '\x1b\r'],
    ['ctrl-space', '\0'],
    ['up', '\x1b[A'],
    ['UP', '\x1b[A'],
    ['ctrl-up', '\x1b[1;5A'],
    ['shift-end', '\x1b[1;2F'],
    ['alt-left', '\x1b[1;3D'],
    ['ctrl-alt-shift-home', '\x1b[1;8H'],
    ['shift-alt-CTRL-home', '\x1b[1;8H'],
    ['insert', '\x1b[2~'],
    ['del', '\x1b[3~'],
    ['ctrl-delete', '\x1b[3;5~'],
    ['pgup', '\x1b[5~'],
    ['pagedown', '\x1b[6~'],
    ['f1', '\x1bOP'],
    ['f4', '\x1bOS'],
    ['f5', '\x1b[15~'],
    ['f12', '\x1b[24~'],
    ['ctrl-f1', '\x1b[1;5P'],
    ['shift-f5', '\x1b[15;2~'],
    ['f13', '\x1b[1;2P'],
    ['f24', '\x1b[24;2~'],
    ['ctrl-f13', '\x1b[1;6P'],
    ['ctrl-c', '\x03'],
    ['Ctrl-C', '\x03'],
    ['ctrl-shift-c', '\x03'],
    ['ctrl-[', '\x1b'],
    ['ctrl-\\', '\x1c'],
    ['ctrl-]', '\x1d'],
    ['ctrl-_', '\x1f'],
    ['ctrl-/', '\x1f'],
    ['ctrl-@', '\0'],
    ['ctrl-?', '\x7f'],
    ['alt-x', '\x1bx'],
    ['alt-ctrl-x', '\x1b\x18'],
    ['alt--', '\x1b-'],
    ['shift-a', 'A'],
    ['a', 'a'],
    ['A', 'A'],
    ['-', '-'],
    ['é', 'é'],
    ['👍', '👍'],
  ])('%s sends what xterm sends', (key, expected) => {
    expect(typed({ keys: [key] })).toBe(expected);
  });

  it.each([
    ['up', '\x1bOA'],
    ['home', '\x1bOH'],
    ['end', '\x1bOF'],
    ['ctrl-up', '\x1b[1;5A'],
    ['f1', '\x1bOP'],
    ['pageup', '\x1b[5~'],
  ])('%s depends on application cursor mode', (key, expected) => {
    expect(typed({ keys: [key] }, APPLICATION)).toBe(expected);
  });

  it('are typed after the text and add no Enter unless enter: true', () => {
    expect(typed({ input: 'git che', keys: ['tab', 'up'] })).toBe('git che\t\x1b[A');
    expect(typed({ keys: ['x'] })).toBe('x');
    expect(typed({ keys: ['up'], enter: true })).toBe('\x1b[A\r');
    expect(typed({ keys: [] })).toBe('');
  });

  it.each([
    ['ctrl+c', 'ctrl-c'],
    ['Ctrl+C', 'ctrl-c'],
    ['C-x', 'ctrl-x'],
    ['^D', 'ctrl-d'],
    ['^', '^'],
    ['M-f', 'alt-f'],
    ['M-F', 'alt-F'],
    ['C-M-x', 'ctrl-alt-x'],
    ['page_up', 'pageup'],
    ['Page Up', 'pageup'],
    ['ArrowUp', 'up'],
    ['ctrl+ArrowLeft', 'ctrl-left'],
    ['S-Tab', 'shift-tab'],
  ])('%s is another notation for %s', (key, ours) => {
    expect(typed({ keys: [key] })).toBe(typed({ keys: [ours] }));
  });

  it.each([
    ['pagup', 'pageup'],
    ['ctrl-ennter', 'ctrl-enter'],
    ['Ctrl+Shift+Tabb', 'ctrl-shift-tab'],
  ])('%s is refused with its name and a suggestion', (key, suggestion) => {
    const issue = issueOf({ keys: ['a', key] });
    expect(issue.field).toBe('keys[1]');
    expect(issue.given).toBe(key);
    expect(issue.message).toContain(`did you mean ${JSON.stringify(suggestion)}?`);
    expect(issue.expected).toContain('f1 to f24');
  });

  it.each(['ctrl-1', 'shift-1', 'shift-?', 'f0', 'f25', 'constructor', '__proto__', 'nonsense', 'ctrl-é', 'ctrl-'])(
    '%s is refused, because a terminal has no bytes for it',
    (key) => {
      expect(issueOf({ keys: [key] }).field).toBe('keys[0]');
    },
  );
});

describe('any input', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  const anyChunk = fc.oneof(anyText, fc.constantFrom('\r\n', '\n', '\r', '\x1b', '\x1b[', '\x1bO', '\x03', ''));
  const anyInput = fc.array(anyChunk, { maxLength: 6 }).map((chunks) => chunks.join(''));

  it('is sent unchanged if raw', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(encodeInput({ input, raw: true }, NORMAL)).toEqual(Buffer.from(input, 'utf8'));
      }),
    );
  });

  it('contains no line feed, keeps everything else in order, and gains at most one Enter', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const sent = typed({ input });
        const plain = Buffer.from(input.replaceAll('\r\n', '\r').replaceAll('\n', '\r')).toString();
        expect(sent).not.toContain('\n');
        expect([plain, `${plain}\r`]).toContain(sent);
      }),
    );
  });

  it('gets an Enter if it ends in three letters, whatever precedes them', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(typed({ input: `${input} abc` }).endsWith(' abc\r')).toBe(true);
      }),
    );
  });

  it('of named keys is the same in any case and order of modifiers', () => {
    const name = fc.constantFrom('up', 'f7', 'home', 'tab', 'delete', 'enter', 'f15', 'backspace');
    const modifiers = fc.shuffledSubarray(['ctrl-', 'alt-', 'shift-']);
    fc.assert(
      fc.property(name, modifiers, fc.boolean(), (key, given, isUpper) => {
        const written = given.join('') + key;
        const usual = [...given].sort().join('') + key;
        expect(typed({ keys: [isUpper ? written.toUpperCase() : written] })).toBe(typed({ keys: [usual] }));
      }),
    );
  });

  it('of any key is either typed or refused by name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), (key) => {
        try {
          expect(encodeInput({ keys: [key] }, NORMAL).length).toBeGreaterThan(0);
        } catch (error) {
          expect((error as TerminalError).code).toBe('INVALID_INPUT');
        }
      }),
    );
  });
});
