import { withoutReplies } from './emulator-replies.js';

it.each([
  ['primary attributes', '\x1b[?62;22c'],
  ['secondary attributes', '\x1b[>0;276;0c'],
  ['status', '\x1b[0n'],
  ['cursor position', '\x1b[24;80R'],
  ['cursor position in the first row', '\x1b[1;1R'],
  ['extended cursor position', '\x1b[?5;10;1R'],
  ['mode state', '\x1b[?2026;2$y'],
  ['keyboard flags', '\x1b[?0u'],
  ['window size', '\x1b[8;24;80t'],
  ['background colour', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
  ['palette colour', '\x1b]4;1;rgb:cdcd/0000/0000\x07'],
  ['name', '\x1bP>|xterm.js(5.5.0)\x1b\\'],
  ['settings', '\x1bP1$r0m\x1b\\'],
])('removes an answer: %s', (_what, reply) => {
  expect(withoutReplies(reply)).toBe('');
  expect(withoutReplies(`a${reply}${reply}b`)).toBe('ab');
});

it.each([
  '\x1b[A',
  '\x1bOP',
  '\x1b[1;2R',
  '\x1b[1;5R',
  '\x1b[15~',
  '\x1b[97;5u',
  '\x1b[<0;10;5M',
  '\x1b[I',
  '\x1b[200~text\x1b[201~',
  '\x1b',
  '\x1bb',
  'c',
  '[0n',
])('keeps %j', (key) => {
  expect(withoutReplies(key)).toBe(key);
});
