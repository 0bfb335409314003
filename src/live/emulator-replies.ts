/**
 * Removes from a client's input what its terminal emulator answers to queries of programs: the host of the terminal has
 * answered them already, and a second answer would be typed into the program. Pure.
 */

const ESC = '\x1b';

/** Control sequences with which emulators answer; none of them is sent by a key. */
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
/** Colours, and answers as device control strings: name and version, settings, capabilities. */
const STRINGS = [`\\](?:4|1\\d);[^\\x07${ESC}]*(?:\\x07|${ESC}\\\\)`, `P[^${ESC}]*${ESC}\\\\`];

const REPLY = new RegExp(`${ESC}(?:\\[(?:${CONTROL.join('|')})|${STRINGS.join('|')})`, 'g');

/** @param input - Whole answers only: emulators send each in one piece. */
export function withoutReplies(input: string): string {
  return input.includes(ESC) ? input.replace(REPLY, '') : input;
}
