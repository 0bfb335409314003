/** The `X-Hold` header: the token with which the holder of a terminal makes its calls. */
import type { IncomingMessage } from 'node:http';
import { valuesOf } from '../access/request-headers.js';
import type { ExecOptions, HoldOptions, TerminalManager, WaitOptions, WriteOptions } from '../contract/manager.js';
import { invalidInput } from '../errors.js';

const TOKEN = /^[\w-]{1,64}$/;

/** Returns the token of a request, if any. @throws `INVALID_INPUT` */
export function holdOf(request: IncomingMessage): string | undefined {
  const values = valuesOf(request, 'x-hold');
  const [token] = values;
  if (token === undefined || (values.length === 1 && TOKEN.test(token))) return token;
  throw invalidInput({ field: 'header.X-Hold', message: 'is not a token', expected: 'one token that a take returned' });
}

/** Returns a manager that makes the calls that need a hold with this token. */
export function holding(manager: TerminalManager, hold: string | undefined): TerminalManager {
  if (hold === undefined) return manager;
  const own: Pick<TerminalManager, 'write' | 'exec' | 'resize' | 'integrate' | 'control'> = {
    write: (id, input, options?: WriteOptions) => manager.write(id, input, { ...options, hold }),
    exec: (id, request, options?: ExecOptions) => manager.exec(id, request, { ...options, hold }),
    resize: (id, size, options?: HoldOptions) => manager.resize(id, size, { ...options, hold }),
    integrate: (id, request, options?: WaitOptions) => manager.integrate(id, request, { ...options, hold }),
    control: (id, request, options?: HoldOptions) => manager.control(id, request, { ...options, hold }),
  };
  return Object.assign(Object.create(manager) as TerminalManager, own);
}
