/**
 * Strict JSON: what `JSON.parse` takes, less what it takes too easily. It knows no HTTP.
 */
import { MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY } from '../bounded.js';
import { invalidInput } from '../errors.js';

/**
 * Parses the JSON of a request body.
 *
 * @throws `INVALID_INPUT` if it is not JSON, nests too deep, has too many values, or gives a key twice or `__proto__`.
 */
export function parseJson(text: string): unknown {
  try {
    checkKeys(text);
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused(`is not valid JSON: ${error.message}`, 'a JSON object, as {"input":"npm start"}');
  }
}

/**
 * Walks the text once without building anything: refuses depth, numbers of values, doubled keys and `__proto__`. Each value
 * but the first of a list or an object has a comma before it.
 */
function checkKeys(text: string): void {
  const open: Set<string>[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') at = checkString(text, at, open.at(-1));
    else if (character === ',') values++;
    if (open.length > MAX_DEPTH) throw invalidInput({ field: 'body', ...TOO_DEEP });
    if (values >= MAX_VALUES) throw invalidInput({ field: 'body', ...TOO_MANY });
  }
}

/** Takes a string that begins at `start`; if it is a key, notes it in `keys`. Gives its last index. */
function checkString(text: string, start: number, keys: Set<string> | undefined): number {
  const end = closingQuote(text, start);
  if (keys && nextIsColon(text, end)) checkKey(JSON.parse(text.slice(start, end + 1)) as string, keys);
  return end;
}

function checkKey(key: string, keys: Set<string>): void {
  if (key === '__proto__') throw refused('has a key `__proto__`', 'other keys');
  if (keys.has(key)) throw refused(`gives ${JSON.stringify(key)} twice in one object`, 'each key once');
  keys.add(key);
}

/** The index of the quote that ends a string, or the end of a text that was cut off. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes stands before `at`. */
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
