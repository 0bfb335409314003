/**
 * Validates an answer against the route table: status, envelope, schema, and a code that the route documents. Throws
 * for anything undocumented.
 */
import { ERROR_KINDS, type ErrorCode } from '../../src/errors.js';
import { JSON_TYPE } from '../../src/http/body.js';
import { errorForm, errorsOf, type Route } from '../../src/http/route.js';
import { ROUTES } from '../../src/http/routes.js';

export interface DocumentedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Malformed requests get INVALID_INPUT too; their status is more specific than the code. */
const BROKEN_STATUSES = [400, 408, 413, 431];

/** Throws unless the answer is documented for this request. */
export function documented(method: string, path: string, answer: DocumentedAnswer): void {
  const route = ROUTES.find((each) => each.method === method.toLowerCase() && matches(each, path));
  if (route && answer.status === route.status) checkSuccess(route, answer);
  else checkError(route, answer);
}

function checkSuccess(route: Route, { headers, text }: DocumentedAnswer): void {
  expect(headers['content-type']).toBe(`${route.mediaType}; charset=utf-8`);
  const value: unknown = route.mediaType === JSON_TYPE ? JSON.parse(text) : text;
  route.answer.parse(value);
}

/** Throws unless the answer is an error in the specified format, with the status of its code. */
export function checkError(route: Route | undefined, { status, headers, text }: DocumentedAnswer): ErrorCode {
  expect(headers['content-type']).toBe(`${JSON_TYPE}; charset=utf-8`);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  const { code, message, details } = errorForm.parse(JSON.parse(text)).error;
  expect(code === 'INVALID_INPUT' ? BROKEN_STATUSES : [ERROR_KINDS[code].status]).toContain(status);
  expect(message).not.toBe('');
  expect(`${message}${JSON.stringify(details)}`).not.toMatch(/\bat .*\.(ts|js):\d+/);
  if (route) expect([...errorsOf(route), 'METHOD_NOT_ALLOWED']).toContain(code);
  return code;
}

function matches({ path: pattern }: Route, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, '[^/?]*')}(\\?|$)`).test(path);
}
