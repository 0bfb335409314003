/** Sends requests to the client under test, with a timeout for each wait. Remembers the last request. */
import { setTimeout as pause } from 'node:timers/promises';
import { shortened } from './answers.js';
import { RuleViolation, demand } from './rule-violation.js';
import type { RpcAnswer, Peer, Request, RequestId } from './peer.js';
import { isObject } from './peer.js';
import type { RecordedExchange } from './verdict.js';

const LOOK_MS = 40;
/** Maximum length of a request, and of its response, in a report. */
const EXCHANGE_CHARACTERS = 1000;

export interface CaseEnvironment {
  readonly sessionId: string;
  /** The session's directory, as the client specified it. */
  readonly sessionDirectory: string;
  /** The check's own directory for the files and directories of cases. Initially empty. */
  readonly directory: string;
  /** The capabilities in the client's `initialize` request. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Timeout for a response or a condition. */
  readonly timeoutMs: number;
}

export class RequestSender {
  #last: { readonly request: object; readonly answer: RpcAnswer | null } | null = null;

  constructor(
    readonly peer: Peer,
    readonly environment: CaseEnvironment,
  ) {}

  /** Starts a request. The wait for its response has a timeout; the response's schema is not checked. */
  begin(method: string, params: object, id?: RequestId): Request {
    const sent = { method, params: { sessionId: this.environment.sessionId, ...params } };
    const request = this.peer.request(method, sent.params, id);
    this.#last = { request: sent, answer: null };
    const keep = (kept: RpcAnswer) => (this.#last = { request: sent, answer: kept });
    request.answer.then(keep, () => {});
    const answer = within(this.environment.timeoutMs, request.answer, `${method} was not answered`);
    // A case may fail before it awaits this response.
    answer.catch(() => {});
    return { id: request.id, answer };
  }

  /** The last request and its response, if any. */
  get exchange(): RecordedExchange | null {
    if (this.#last === null) return null;
    const { request, answer } = this.#last;
    const shown = answer === null ? null : shortened(answer, EXCHANGE_CHARACTERS);
    return { request: shortened(request, EXCHANGE_CHARACTERS), answer: shown };
  }

  ask(method: string, params: object = {}): Promise<RpcAnswer> {
    return this.begin(method, params).answer;
  }

  /** Returns the result of a request that must succeed. */
  async get(method: string, params: object): Promise<Record<string, unknown>> {
    const { result, error } = await this.ask(method, params);
    demand(error === undefined, `${method} returned an error: ${shortened(error)}`);
    demand(isObject(result), `${method} returned ${shortened(result)}`);
    return result;
  }

  /** Calls `look` repeatedly until it finds something. */
  async until<Found>(look: () => Found | Promise<Found>, missing: () => string): Promise<NonNullable<Found>> {
    const deadline = Date.now() + this.environment.timeoutMs;
    for (;;) {
      const found = await look();
      if (found) return found;
      if (Date.now() > deadline) throw new RuleViolation(missing());
      await pause(LOOK_MS);
    }
  }
}

/** Resolves to the promise's value. @throws `RuleViolation` if the time expires first. */
async function within<Value>(limitMs: number, promise: Promise<Value>, missing: string): Promise<Value> {
  const limit = new AbortController();
  const late = pause(limitMs, null, { signal: limit.signal }).then(() => {
    throw new RuleViolation(`${missing} within ${limitMs / 1000} s`);
  });
  late.catch(() => {});
  return Promise.race([promise, late]).finally(() => limit.abort());
}
