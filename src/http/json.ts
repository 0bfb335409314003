/** Parses JSON more strictly than `JSON.parse`. */
import { MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY } from '../bounded.js';
import { invalidInput } from '../errors.js';

/**
 * Parses the JSON of a request body.
 *
 * @throws `INVALID_INPUT` if it is not JSON, is nested too deeply, has too many values, or contains a duplicate key or
 * the key `__proto__`.
 */
export function parseJson(text: string): unknown {
  try {
    scan(text, true);
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused(`is not valid JSON${reasonOf(error)}`, 'a JSON object, such as {"input":"npm start"}');
  }
}

/** Returns the parser's message without the input that it quotes, because the input may contain a password. */
function reasonOf({ message }: SyntaxError): string {
  const reason = message.replace(/,? ?(\.\.\.)?".*$/s, '');
  return reason && `: ${reason}`;
}

/**
 * Rejects JSON that has too many values or is nested too deeply, before anything parses it.
 *
 * @throws `INVALID_INPUT` if a limit is exceeded.
 */
export function checkBounds(text: string): void {
  scan(text, false);
}

/**
 * Scans JSON once without building values. Rejects excessive depth, too many values and, on request, duplicate keys and
 * `__proto__`. Counts values by their commas, because a comma precedes every value except the first of a list or
 * object, and lists and objects by their brackets, because invalid JSON may lack commas.
 */
function scan(text: string, checksKeys: boolean): void {
  const open: Set<string>[] = [];
  let values = 0;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(new Set());
      opened++;
    } else if (character === '}' || character === ']') open.pop();
    else if (character === '"') at = checkString(text, at, checksKeys ? open.at(-1) : undefined);
    else if (character === ',') values++;
    if (open.length > MAX_DEPTH) throw invalidInput({ field: 'body', ...TOO_DEEP });
    if (values >= MAX_VALUES || opened > MAX_VALUES) throw invalidInput({ field: 'body', ...TOO_MANY });
  }
}

/**
 * Scans the string that starts at `start` and, if it is a key, adds it to `keys`. Returns the index of its last
 * character.
 */
function checkString(text: string, start: number, keys: Set<string> | undefined): number {
  const end = closingQuote(text, start);
  if (keys && nextIsColon(text, end)) checkKey(JSON.parse(text.slice(start, end + 1)) as string, keys);
  return end;
}

function checkKey(key: string, keys: Set<string>): void {
  if (key === '__proto__') throw refused('has a key `__proto__`', 'other keys');
  if (keys.has(key)) throw refused(`has the key ${JSON.stringify(key)} twice in one object`, 'each key once');
  keys.add(key);
}

/** Returns the index of the closing quote of a string, or the end of the text if the string is truncated. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Returns whether an odd number of backslashes directly precedes `at`. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function nextIsColon(text: string, end: number): boolean {
  let at = end + 1;
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++;
  return text[at] === ':';
}

function refused(message: string, expected: string) {
  return invalidInput({ field: 'body', message: `${message}; expected ${expected}`, expected });
}
