/**
 * Replies to the queries that the emulator itself does not reply to: colours, its name, the keyboard protocol. Exactly
 * one party must reply, because a program that gets no reply waits.
 */
import type { EmulatorParser } from './emulator.js';

const ESC = '\x1b';
/** The sequence that xterm ends an OSC string with. */
const STRING_END = `${ESC}\\`;

/** Light grey on black: reported to programs that adapt their colours to the background. */
const FOREGROUND = 'rgb:d0d0/d0d0/d0d0';
const BACKGROUND = 'rgb:0000/0000/0000';
/** OSC numbers of colour queries: text, background, cursor. */
const DYNAMIC_COLORS: readonly (readonly [osc: number, color: string])[] = [
  [10, FOREGROUND],
  [11, BACKGROUND],
  [12, FOREGROUND],
];
const NAME = 'tenacitty';
/** The kitty keyboard protocol is supported but off. */
const NO_KEYBOARD_FLAGS = `${ESC}[?0u`;

/** Calls `reply` with the reply to each of these queries. */
export function answerQuestions(parser: EmulatorParser, reply: (answer: string) => void): void {
  for (const [osc, color] of DYNAMIC_COLORS) {
    parser.registerOscHandler(osc, (data) => {
      if (data === '?') reply(`${ESC}]${osc};${color}${STRING_END}`);
      return data === '?';
    });
  }
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => {
    reply(`${ESC}P>|${NAME}${STRING_END}`);
    return true;
  });
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
    reply(NO_KEYBOARD_FLAGS);
    return true;
  });
}
