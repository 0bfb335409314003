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

/**
 * Requests of the editor that begin or end a session. `session/delete` does not: it takes it off a list, and an agent may go
 * on in it.
 */
const SESSION_METHODS = ['session/new', 'session/fork', 'session/load', 'session/resume', 'session/close'] as const;
type SessionMethod = (typeof SESSION_METHODS)[number];

/** Those that say which session is to begin; of the others that do the agent says it. */
const TAKING_UP: readonly SessionMethod[] = ['session/load', 'session/resume'];

/** An editor has one or two of them under way; an agent that never answers must not cost more and more. */
const MAX_ASKED = 1000;

interface Asked {
  readonly method: SessionMethod;
  readonly cwd: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * A session begins when the agent says so. One that is loaded or resumed and is not open yet begins with the request:
 * before it answers an agent may take up what it was at, in the directory it was just told. If it refuses then, what was
 * begun is ended.
 *
 * One that is open already stays where it is until the agent has said yes. Agents of today run nothing for a load before
 * they answer it (claude-code-acp, Kimi Code: they look whether there is such a session, then replay what was said); what
 * runs at that time is of a turn that has begun before, and one that refuses has changed nothing.
 */
export class Sessions {
  readonly #listener: SessionListener;
  readonly #asked = new Map<string, Asked>();
  /** Where each of the open ones works. */
  readonly #directories = new Map<string, string>();

  constructor(listener: SessionListener) {
    this.#listener = listener;
  }

  /** A request of the editor. */
  see({ method, idKey, params }: Message): void {
    if (idKey === null || !isSessionMethod(method)) return;
    const asked = { method, cwd: params?.string('cwd'), sessionId: params?.string('sessionId') };
    this.#drop(idKey);
    if (this.#asked.size >= MAX_ASKED) this.#drop([...this.#asked.keys()][0]!);
    this.#asked.set(idKey, asked);
    if (isTakenUp(asked)) this.#tell(asked.sessionId);
  }

  /** Whether any line of the agent may be an answer to what was seen. */
  get isWaiting(): boolean {
    return this.#asked.size > 0;
  }

  /** An answer of the agent. */
  seeAnswer(message: Message): void {
    const key = keyOf(message.id?.value);
    const asked = this.#asked.get(key);
    if (asked !== undefined && !isRefusal(message)) this.#grant(asked, message);
    this.#drop(key);
  }

  #grant({ method, sessionId, cwd }: Asked, answer: Message): void {
    if (method === 'session/close') this.#close(sessionId);
    else if (TAKING_UP.includes(method)) this.#open(sessionId, cwd);
    else this.#open(answer.member('result')?.string('sessionId'), cwd);
  }

  #open(sessionId: string | undefined, cwd: string | undefined): void {
    if (sessionId === undefined || cwd === undefined || !isAbsolute(cwd)) return;
    this.#directories.set(sessionId, cwd);
    this.#tell(sessionId);
  }

  #close(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    this.#directories.delete(sessionId);
    this.#end(sessionId);
    if (this.#directoryOf(sessionId) !== undefined) this.#tell(sessionId);
  }

  /** Nothing is expected of it any more. */
  #drop(key: string): void {
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    if (asked !== undefined && isTakenUp(asked)) this.#tell(asked.sessionId);
  }

  #tell(sessionId: string): void {
    const cwd = this.#directoryOf(sessionId);
    if (cwd === undefined) this.#end(sessionId);
    else this.#listener.openSession(sessionId, { cwd });
  }

  /** That of an open one; else that of the first request to take it up. */
  #directoryOf(sessionId: string): string | undefined {
    const taken = [...this.#asked.values()].find((asked) => isTakenUp(asked) && asked.sessionId === sessionId);
    return this.#directories.get(sessionId) ?? taken?.cwd;
  }

  #end(sessionId: string): void {
    // What could not be ended is ended with all the rest.
    this.#listener.closeSession(sessionId).catch(() => {});
  }
}

function isSessionMethod(method: string | undefined): method is SessionMethod {
  return (SESSION_METHODS as readonly (string | undefined)[]).includes(method);
}

/** Whether it names a session to begin, and where. */
function isTakenUp(asked: Asked): asked is Asked & { readonly cwd: string; readonly sessionId: string } {
  const { method, sessionId, cwd } = asked;
  return TAKING_UP.includes(method) && sessionId !== undefined && cwd !== undefined && isAbsolute(cwd);
}

/** Some say `"error":null` with a result, and to load has been answered with the result `null`. */
function isRefusal(answer: Message): boolean {
  return ![undefined, 'null'].includes(answer.member('error')?.text);
}
