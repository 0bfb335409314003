import { promptBytes, VIEWER_MARKS, zshLineEndBytes } from './viewer-marks.js';

const { promptStart, promptEnd, began } = VIEWER_MARKS;
const ZSH_LINE_END = '\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m      \r \r';

it.each([
  ['by a line editor that turns on bracketed paste', 'a\r\n', '\x1b[?2004hline\r\n$ '],
  ['by the marks of a shell', 'a\r\n', `${promptStart}$ ${promptEnd}`],
  ['by what zsh prints before it', 'a', `${ZSH_LINE_END}\r\x1b[Jvm# \x1b[K\x1b[?2004h`],
  ['after a paste mode that a program left on', 'a\x1b[?2004hb\r\n', `${promptStart}$ `],
  ['after a prompt of a nested shell', `\x1b[?2004h$ \x1b[?2004lb\r\n`, '\x1b[?2004h$ '],
])('finds where a prompt begins: %s', (_what, output, prompt) => {
  expect(promptBytes(output + prompt)).toBe(prompt.length);
});

it.each([['a\r\n$ '], [`a${promptStart}$ ${promptEnd}ls\r\n${began}b\r\n`], ['\x1b[?2004h$ ls\r\n\x1b[?2004lb\r\n']])(
  'finds no prompt in %j',
  (output) => {
    expect(promptBytes(output)).toBe(0);
  },
);

it.each([
  ['as it is', ZSH_LINE_END],
  ['before the editor begins to draw the prompt', `${ZSH_LINE_END}\r\x1b[0m\x1b[27m\x1b[24m\x1b[J`],
])('finds how zsh ends a line: %s', (_what, end) => {
  expect(zshLineEndBytes(`a\r\n${end}`)).toBe(end.length);
});
