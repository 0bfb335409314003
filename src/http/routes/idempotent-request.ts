/**
 * Handles requests with an `Idempotency-Key`, by calling the handler with a manager that causes each effect only once.
 */
import type { CollectCommand, ExecCommand } from '../../contract/command.js';
import type { OnceOptions, TerminalManager, WaitOptions } from '../../contract/manager.js';
import { MAX_WAIT_MS } from '../../contract/output.js';
import type { CreateTerminal, TerminalDetail, TerminalInput } from '../../contract/terminal.js';
import { invalidInput, TerminalError } from '../../errors.js';
import { accountOf } from '../../access/principal.js';
import { valuesOf } from '../../access/request-headers.js';
import type { Exchange } from '../exchange.js';
import type { RequestEffect, IdempotencyKeys } from '../idempotency.js';
import type { RouteCall, Fields, Route } from '../route.js';
import type { z } from 'zod';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
const REPLAYED = 'Idempotent-Replayed';
/** Printable ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

type AnyCall = RouteCall<Fields, Fields, z.ZodType>;

/**
 * Returns the idempotency key of a request. Ignores the header of `GET`, `PUT`, `PATCH` and `DELETE` requests, which
 * can be repeated without it.
 *
 * @throws `INVALID_INPUT` if there are several keys, the key is malformed, or the route or the requested kind of
 * response does not accept one.
 */
export function keyOf(route: Route, { request }: Exchange, isStream: boolean): string | undefined {
  const keys = route.method === 'post' ? valuesOf(request, IDEMPOTENCY_KEY.toLowerCase()) : [];
  const [key] = keys;
  if (key === undefined) return undefined;
  if (!route.takesKey) throw refused(key, 'is not accepted by this route', 'no key');
  if (isStream) throw refused(key, 'is not accepted with a stream', 'no key, or Accept: application/json');
  if (keys.length === 1 && KEY.test(key)) return key;
  throw refused(
    key,
    keys.length > 1 ? 'is given more than once' : 'is not a valid key',
    '1 to 255 printable ASCII characters, once',
  );
}

function refused(given: string, message: string, expected: string): TerminalError {
  const field = `header.${IDEMPOTENCY_KEY}`;
  return invalidInput({ field, message: `${message}; expected ${expected}`, given: given.slice(0, 100), expected });
}

/** Calls the handler and returns its response. */
export async function handleIdempotently(
  route: Route,
  call: AnyCall,
  key: string,
  { exchange, keys }: { readonly exchange: Exchange; readonly keys: IdempotencyKeys },
): Promise<unknown> {
  const { params, query, body, service, signal } = call;
  // A repeat may first wait for the original request, which may itself take the maximum time.
  exchange.expectWait(2 * MAX_WAIT_MS);
  const principalId = exchange.principal ? accountOf(exchange.principal) : '';
  const request = { principalId, route: route.name, key, content: [params, query, body], signal };
  return keys.once(request, async (effect, isRepeat) => {
    if (isRepeat) call.setHeader(REPLAYED, 'true');
    const manager = idempotentManager(service.manager, effect, isRepeat);
    return route.handle({ ...call, service: { ...service, manager } });
  });
}

/** Returns a manager whose `create`, `exec` and `write` have no second effect when they are repeated. */
function idempotentManager(manager: TerminalManager, effect: RequestEffect, isRepeat: boolean): TerminalManager {
  const own = new IdempotentManager(manager, effect, isRepeat);
  return new Proxy(manager, {
    get(_target, name) {
      const owner = name === 'create' || name === 'exec' || name === 'write' ? own : manager;
      const member = Reflect.get(owner, name) as unknown;
      return typeof member === 'function' ? (member.bind(owner) as unknown) : member;
    },
  });
}

class IdempotentManager implements Pick<TerminalManager, 'create' | 'exec' | 'write'> {
  readonly #manager: TerminalManager;
  readonly #effect: RequestEffect;
  readonly #isRepeat: boolean;

  constructor(manager: TerminalManager, effect: RequestEffect, isRepeat: boolean) {
    this.#manager = manager;
    this.#effect = effect;
    this.#isRepeat = isRepeat;
  }

  /** @throws `TERMINAL_NOT_FOUND` if the terminal was created but no longer exists. */
  async create(request?: CreateTerminal, options?: OnceOptions): Promise<TerminalDetail> {
    const { id: key } = this.#effect;
    const created = this.#isRepeat ? await this.#created() : null;
    return created ?? this.#manager.create(request, { ...options, key });
  }

  async #created(): Promise<TerminalDetail | null> {
    try {
      return await this.#manager.get(this.#effect.id);
    } catch (error) {
      const isMissing = error instanceof TerminalError && error.code === 'TERMINAL_NOT_FOUND';
      if (this.#effect.isDone || !isMissing) throw error;
      return null;
    }
  }

  async exec(id: string, request: ExecCommand, options?: WaitOptions) {
    const { id: key, commandId } = this.#effect;
    const result = await (commandId === null
      ? this.#manager.exec(id, request, { ...options, key })
      : this.#manager.collect(id, commandId, collecting(request), options));
    this.#effect.commandId = result.commandId;
    return result;
  }

  async write(id: string, input: TerminalInput): Promise<void> {
    const { id: key, isDone } = this.#effect;
    if (!isDone) await this.#manager.write(id, input, { key });
  }
}

function collecting({ command: _command, detach, timeoutMs, ...part }: ExecCommand): CollectCommand {
  return { ...part, timeoutMs: detach ? 0 : timeoutMs };
}
