/**
 * Converts text or named keys to the bytes that a keyboard sends to a terminal, as xterm does. Pure; the only terminal
 * state it needs is the mode that changes what the cursor keys send.
 */
import { encodeKey, ESC, type KeyModes } from './key-names.js';

/** What to type; see `terminalInput` in the contract. */
export interface KeyInput {
  readonly input?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly enter?: boolean | undefined;
  readonly raw?: boolean | undefined;
  readonly data?: string | undefined;
}

/** What a keyboard sends for Enter; the terminal driver translates it to a line ending for programs that expect one. */
const ENTER = '\r';

/**
 * Encodes an input: `input` first, then `keys`, then possibly an Enter.
 *
 * Line endings inside `input` become Enter. If `input` ends in text or is empty, an Enter is added; if it ends in a
 * control character or a key sequence, it is left unchanged. If `keys` are given, an Enter is added only with `enter:
 * true`. `enter: false` adds none, and `raw` sends `input` unchanged and adds none. `data` is decoded and sent
 * unchanged.
 *
 * @throws `INVALID_INPUT` naming `keys[i]` for an unknown key.
 */
export function encodeInput(request: KeyInput, modes: KeyModes): Uint8Array {
  const { input = '', keys, enter, raw = false, data } = request;
  if (data !== undefined) return Buffer.from(data, 'base64');
  const text = raw ? input : input.replace(/\r?\n/g, ENTER);
  const typedKeys = (keys ?? []).map((key, index) => encodeKey(key, modes, `keys[${index}]`));
  const addsEnter = keys === undefined ? enter !== false && endsInText(text) : enter === true;
  return Buffer.from([text, ...typedKeys, addsEnter && !raw ? ENTER : ''].join(''), 'utf8');
}

const ENDS_IN_CONTROL = /\p{Cc}$/u;

/** CSI and SS3 sequences (cursor and function keys, reports), and ESC with one character (alt and a key). */
const ENDS_IN_SEQUENCE = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|O[0-9;]*[A-Za-z]|.)$`, 'su');

/** Returns whether an input ends in text. Empty input counts as text, so that it sends just an Enter. */
function endsInText(text: string): boolean {
  return !ENDS_IN_CONTROL.test(text) && !ENDS_IN_SEQUENCE.test(text);
}
