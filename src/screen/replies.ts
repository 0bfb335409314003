/**
 * Answers to questions of programs that the emulator itself leaves open: colours, its name, the keyboard
 * protocol. Exactly one party may answer, and a program that gets no answer waits. It knows no screen.
 */
import type { EmulatorParser } from './emulator.js';

const ESC = '\x1b';
/** How xterm ends an OSC. */
const STRING_END = `${ESC}\\`;

/** Light grey on black: what a program is told when it adapts its colours to the background. */
const FOREGROUND = 'rgb:d0d0/d0d0/d0d0';
const BACKGROUND = 'rgb:0000/0000/0000';
/** OSC numbers of questions about colours: text, background, cursor. */
const DYNAMIC_COLORS: readonly (readonly [osc: number, color: string])[] = [
  [10, FOREGROUND],
  [11, BACKGROUND],
  [12, FOREGROUND],
];
const NAME = 'tenacitty';
/** The kitty keyboard protocol is understood, and off. */
const NO_KEYBOARD_FLAGS = `${ESC}[?0u`;

/** Lets `reply` be called with the answer to each such question. */
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
