/**
 * Sees which sessions an agent has and where each works, in what passes between it and its editor. It asks for nothing
 * and changes nothing.
 */
import { isAbsolute } from 'node:path';
import { keyOf } from './message.js';
import type { Message } from './message.js';

/** Told of sessions as they begin and end. */
export interface SessionListener {
  openSession(sessionId: string, session: { cwd: string }): void;
  closeSession(sessionId: string): Promise<void>;
}

/** Requests of the editor that begin or end a session. */
const SESSION_METHODS = ['session/new', 'session/fork', 'session/load', 'session/resume', 'session/close'] as const;
type SessionMethod = (typeof SESSION_METHODS)[number];

/** An editor has one or two of them under way; an agent that never answers must not cost more and more. */
const MAX_ASKED = 1000;

interface Asked {
  readonly method: SessionMethod;
  readonly cwd: string | undefined;
  readonly sessionId: string | undefined;
}

export class Sessions {
  readonly #listener: SessionListener;
  readonly #asked = new Map<string, Asked>();

  constructor(listener: SessionListener) {
    this.#listener = listener;
  }

  /** A request of the editor. */
  see({ method, idKey, params }: Message): void {
    if (idKey === null || !isSessionMethod(method)) return;
    const asked = { method, cwd: params?.string('cwd'), sessionId: params?.string('sessionId') };
    if (this.#asked.size < MAX_ASKED) this.#asked.set(idKey, asked);
    // While it is loaded, before the answer, an agent may run commands.
    if (method === 'session/load' || method === 'session/resume') this.#open(asked.sessionId, asked.cwd);
  }

  /** Whether any line of the agent may be an answer to what was seen. */
  get isWaiting(): boolean {
    return this.#asked.size > 0;
  }

  /** An answer of the agent. */
  seeAnswer(message: Message): void {
    const key = keyOf(message.id?.value);
    const asked = this.#asked.get(key);
    if (asked === undefined) return;
    this.#asked.delete(key);
    const result = message.member('result');
    if (result === undefined) return;
    if (asked.method === 'session/new' || asked.method === 'session/fork')
      this.#open(result.string('sessionId'), asked.cwd);
    // What could not be ended is ended with all the rest.
    else if (asked.method === 'session/close' && asked.sessionId !== undefined)
      this.#listener.closeSession(asked.sessionId).catch(() => {});
  }

  #open(sessionId: string | undefined, cwd: string | undefined): void {
    if (sessionId === undefined || cwd === undefined || !isAbsolute(cwd)) return;
    this.#listener.openSession(sessionId, { cwd });
  }
}

function isSessionMethod(method: string | undefined): method is SessionMethod {
  return (SESSION_METHODS as readonly (string | undefined)[]).includes(method);
}
