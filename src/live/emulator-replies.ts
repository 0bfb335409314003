/**
 * Removes from a client's input the replies of its terminal emulator to programs' queries: the terminal's host has
 * already replied, and the program would receive a second reply as input. Pure.
 */

const ESC = '\x1b';

/** Control sequences that emulators send as replies; no key sends any of them. */
const CONTROL = [
  '[?>=][\\d;]*c', // device attributes
  '\\??[\\d;]*n', // device status
  '\\?[\\d;]*R', // cursor position (DECXCPR)
  // Cursor position: in row 1, columns 2 to 8 are F3 with modifiers.
  '(?!1;[2-8]R)\\d+;\\d+R',
  '\\?[\\d;]*\\$y', // mode state
  '\\?[\\d;]*u', // keyboard flags
  '[\\d;]*t', // window reports
];
/** Colours, and replies in the form of device control strings: name and version, settings, capabilities. */
const STRINGS = [`\\](?:4|1\\d);[^\\x07${ESC}]*(?:\\x07|${ESC}\\\\)`, `P[^${ESC}]*${ESC}\\\\`];

const REPLY = new RegExp(`${ESC}(?:\\[(?:${CONTROL.join('|')})|${STRINGS.join('|')})`, 'g');

/** @param input - Must contain only whole replies; emulators send each reply in one piece. */
export function withoutReplies(input: string): string {
  return input.includes(ESC) ? input.replace(REPLY, '') : input;
}
