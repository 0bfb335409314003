/**
 * What a case works with: the client under test, asked in the few ways that cases need, with a limit on each wait. It
 * releases at the end what the case has made. It knows no rule.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Breach, demand } from './case.js';
import type { Exchange } from './case.js';
import { shortened } from './answers.js';
import { HeldTerminal } from './held-terminal.js';
import type { Answer, Peer, Request, RequestId } from './peer.js';
import { isObject } from './peer.js';

const LOOK_MS = 40;
/** Of a request, and of its answer. */
const EXCHANGE_CHARACTERS = 1000;

export interface Surroundings {
  readonly sessionId: string;
  /** The session's directory, as the client gave it. */
  readonly sessionDirectory: string;
  /** Of the check's own; empty at first, for files and directories of the cases. */
  readonly directory: string;
  /** As the client's `initialize` has them. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** For an answer, and for what is to come about. */
  readonly patienceMs: number;
}

export type CreateParams = Readonly<Record<string, unknown>>;

/** A program by its arguments, without the client's help. */
export function shellWords(script: string): { command: string; args: string[] } {
  return { command: '/bin/sh', args: ['-c', script] };
}

export class Stage {
  readonly #held: HeldTerminal[] = [];
  #last: { readonly request: object; readonly answer: Answer | null } | null = null;

  constructor(
    readonly peer: Peer,
    readonly around: Surroundings,
  ) {}

  /** Begins a request; its answer has a limit of time, and none of shape. */
  begin(method: string, params: object, id?: RequestId): Request {
    const sent = { method, params: { sessionId: this.around.sessionId, ...params } };
    const request = this.peer.request(method, sent.params, id);
    this.#last = { request: sent, answer: null };
    const keep = (kept: Answer) => (this.#last = { request: sent, answer: kept });
    request.answer.then(keep, () => {});
    const answer = within(this.around.patienceMs, request.answer, `${method} was not answered`);
    // A case may fail before it asks for this answer.
    answer.catch(() => {});
    return { id: request.id, answer };
  }

  /** What was asked or answered last. */
  get exchange(): Exchange | null {
    if (this.#last === null) return null;
    const { request, answer } = this.#last;
    const shown = answer === null ? null : shortened(answer, EXCHANGE_CHARACTERS);
    return { request: shortened(request, EXCHANGE_CHARACTERS), answer: shown };
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    return this.begin(method, params).answer;
  }

  /** The result of a request that is to succeed. */
  async get(method: string, params: object): Promise<Record<string, unknown>> {
    const { result, error } = await this.ask(method, params);
    demand(error === undefined, `${method} was refused: ${shortened(error)}`);
    demand(isObject(result), `${method} answered ${shortened(result)}`);
    return result;
  }

  async create(params: CreateParams): Promise<HeldTerminal> {
    return this.hold((await this.get('terminal/create', params))['terminalId']);
  }

  /** Takes care of a terminal that was made. */
  hold(terminalId: unknown): HeldTerminal {
    demand(typeof terminalId === 'string', `the terminal's id is ${shortened(terminalId)}`);
    const held = new HeldTerminal(this, terminalId);
    this.#held.push(held);
    return held;
  }

  /** A terminal with a script of /bin/sh, given as arguments. */
  shell(script: string, params: CreateParams = {}): Promise<HeldTerminal> {
    return this.create({ ...shellWords(script), ...params });
  }

  /** Runs a script to its end, and answers with what it printed. */
  async print(script: string, params: CreateParams = {}): Promise<string> {
    return (await (await this.shell(script, params)).finished()).text;
  }

  /** Waits until a look finds something. */
  async until<Found>(look: () => Found | Promise<Found>, missing: () => string): Promise<NonNullable<Found>> {
    const deadline = Date.now() + this.around.patienceMs;
    for (;;) {
      const found = await look();
      if (found) return found;
      if (Date.now() > deadline) throw new Breach(missing());
      await pause(LOOK_MS);
    }
  }

  /** Gives back what the case holds; a client that cannot has failed elsewhere. */
  async leave(): Promise<void> {
    await Promise.allSettled(this.#held.map((held) => this.ask('terminal/release', { terminalId: held.id })));
  }
}

/** @throws `Breach` if nothing comes in time. */
async function within<Value>(limitMs: number, promise: Promise<Value>, missing: string): Promise<Value> {
  const limit = new AbortController();
  const late = pause(limitMs, null, { signal: limit.signal }).then(() => {
    throw new Breach(`${missing} within ${limitMs / 1000} s`);
  });
  late.catch(() => {});
  return Promise.race([promise, late]).finally(() => limit.abort());
}
