/**
 * Strict JSON: what `JSON.parse` takes, less what it takes too easily. It knows no HTTP.
 */
import { invalidInput } from '../errors.js';

/** No request of this API nests deeper than three; a bomb of brackets ends here, before it is built. */
const MAX_DEPTH = 16;

/**
 * Parses the JSON of a request body.
 *
 * @throws `INVALID_INPUT` if it is not JSON, nests too deep, or gives a key twice or `__proto__`.
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

/** Walks the text once without building anything: refuses depth, doubled keys and `__proto__`. */
function checkKeys(text: string): void {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') at = checkString(text, at, open.at(-1));
    if (open.length > MAX_DEPTH) throw refused('is nested too deep', `at most ${MAX_DEPTH} levels`);
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
