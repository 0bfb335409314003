/**
 * Tracks an agent's sessions and their directories, from the messages between it and its editor. Sends and changes
 * nothing.
 */
import { isAbsolute } from 'node:path';
import { keyOf } from './message.js';
import type { Message } from './message.js';

/** Receives notice when sessions begin and end. */
export interface SessionListener {
  openSession(sessionId: string, session: { cwd: string }): void;
  closeSession(sessionId: string): Promise<void>;
}

/**
 * Requests from the editor that begin or end a session. `session/delete` does neither: it removes the session from a
 * list, and an agent may continue to use the session.
 */
const SESSION_METHODS = ['session/new', 'session/fork', 'session/load', 'session/resume', 'session/close'] as const;
type SessionMethod = (typeof SESSION_METHODS)[number];

/** Requests that name the session to begin. The agent's response to any other request names it. */
const REOPENING: readonly SessionMethod[] = ['session/load', 'session/resume'];

/** An editor usually has one or two pending requests. The limit bounds memory if an agent never responds. */
const MAX_PENDING = 1000;

interface PendingRequest {
  readonly method: SessionMethod;
  readonly cwd: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Tracks when sessions begin and end.
 *
 * A new session begins when the agent confirms it. A loaded or resumed session that is not yet open begins with the
 * request, because the agent may continue earlier work in that directory before it responds. If the agent refuses, the
 * session ends.
 *
 * A session that is already open keeps its directory until the agent confirms. Current agents (claude-code-acp, Kimi
 * Code) run nothing before they respond to a load: they check that the session exists, then replay its messages.
 * Anything that runs in the meantime belongs to an earlier turn, so a refused load changes nothing.
 */
export class Sessions {
  readonly #listener: SessionListener;
  readonly #pending = new Map<string, PendingRequest>();
  /** The directory of each open session. */
  readonly #directories = new Map<string, string>();

  constructor(listener: SessionListener) {
    this.#listener = listener;
  }

  /** Handles a request from the editor. */
  onRequest({ method, idKey, params }: Message): void {
    if (idKey === null || !isSessionMethod(method)) return;
    const pending = { method, cwd: params?.string('cwd'), sessionId: params?.string('sessionId') };
    this.#dropPending(idKey);
    if (this.#pending.size >= MAX_PENDING) this.#dropPending([...this.#pending.keys()][0]!);
    this.#pending.set(idKey, pending);
    if (isReopening(pending)) this.#updateSession(pending.sessionId);
  }

  /** Whether a line from the agent may be a response that is needed here. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Handles a response from the agent. */
  onAnswer(message: Message): void {
    const key = keyOf(message.id);
    const pending = this.#pending.get(key);
    if (pending !== undefined && !isRefusal(message)) this.#grant(pending, message);
    this.#dropPending(key);
  }

  #grant({ method, sessionId, cwd }: PendingRequest, answer: Message): void {
    if (method === 'session/close') this.#close(sessionId);
    else if (REOPENING.includes(method)) this.#open(sessionId, cwd);
    else this.#open(answer.member('result')?.string('sessionId'), cwd);
  }

  #open(sessionId: string | undefined, cwd: string | undefined): void {
    if (sessionId === undefined || cwd === undefined || !isAbsolute(cwd)) return;
    this.#directories.set(sessionId, cwd);
    this.#updateSession(sessionId);
  }

  #close(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    this.#directories.delete(sessionId);
    this.#end(sessionId);
    if (this.#directoryOf(sessionId) !== undefined) this.#updateSession(sessionId);
  }

  /** Drops a pending request. */
  #dropPending(key: string): void {
    const pending = this.#pending.get(key);
    this.#pending.delete(key);
    if (pending !== undefined && isReopening(pending)) this.#updateSession(pending.sessionId);
  }

  #updateSession(sessionId: string): void {
    const cwd = this.#directoryOf(sessionId);
    if (cwd === undefined) this.#end(sessionId);
    else this.#listener.openSession(sessionId, { cwd });
  }

  /**
   * Returns the directory of an open session or, if it is not open, the directory in the first pending request to load
   * or resume it.
   */
  #directoryOf(sessionId: string): string | undefined {
    const taken = [...this.#pending.values()].find(
      (pending) => isReopening(pending) && pending.sessionId === sessionId,
    );
    return this.#directories.get(sessionId) ?? taken?.cwd;
  }

  #end(sessionId: string): void {
    // Terminals that could not be ended will be ended when everything closes.
    this.#listener.closeSession(sessionId).catch(() => {});
  }
}

function isSessionMethod(method: string | undefined): method is SessionMethod {
  return (SESSION_METHODS as readonly (string | undefined)[]).includes(method);
}

/** Returns whether the request specifies the session to begin and its directory. */
function isReopening(
  pending: PendingRequest,
): pending is PendingRequest & { readonly cwd: string; readonly sessionId: string } {
  const { method, sessionId, cwd } = pending;
  return REOPENING.includes(method) && sessionId !== undefined && cwd !== undefined && isAbsolute(cwd);
}

/**
 * Returns whether the agent refused. Some agents send `"error":null` with a result, and some respond to a load with the
 * result `null`.
 */
function isRefusal(answer: Message): boolean {
  return ![undefined, 'null'].includes(answer.member('error')?.text);
}
