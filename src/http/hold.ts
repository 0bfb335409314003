/** Reads the `X-Hold` header, which contains the token that the holder of a terminal sends with its calls. */
import type { IncomingMessage } from 'node:http';
import { valuesOf } from '../access/request-headers.js';
import { invalidInput } from '../errors.js';

const TOKEN = /^[\w-]{1,64}$/;

/** Returns the token of a request, or undefined if it has none. @throws `INVALID_INPUT` if it is not a single token. */
export function holdOf(request: IncomingMessage): string | undefined {
  const values = valuesOf(request, 'x-hold');
  const [token] = values;
  if (token === undefined || (values.length === 1 && TOKEN.test(token))) return token;
  throw invalidInput({ field: 'header.X-Hold', message: 'is not a token', expected: 'one token that `take` returned' });
}
