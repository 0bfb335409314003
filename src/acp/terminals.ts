/**
 * Implements the five terminal methods of ACP v1 that a client serves to one agent. Manages the agent's sessions, the
 * terminals of each session, and the operations on them.
 */
import { z } from 'zod';
import type { CommandPermit, CommandPolicy } from '../access/policy/command-policy.js';
import { check } from '../check.js';
import { callerOf } from '../contract/caller.js';
import type { TerminalLabels } from '../contract/labels.js';
import type { TerminalManager } from '../contract/manager.js';
import { TerminalError } from '../errors.js';
import { LruMap } from '../lru-map.js';
import { userName } from '../user-name.js';
import { AgentTerminal } from './agent-terminal.js';
import type { AgentOutput, TerminalListener } from './agent-terminal.js';
import { absoluteDirectory, parseCreationRequest } from './creation-request.js';
import type { CreationRequest } from './creation-request.js';
import type { RefusedCommand, ShownTerminal, TerminalDisplay, TerminalExit } from './display.js';
import { endAbandoned, ownLabels } from './owner.js';
import { startProgram } from './program.js';
import { realDirectory } from './real-directory.js';
import { terminalParams } from './requests.js';
import type { CreatedTerminal, CreateTerminalParams, ExitStatus, TerminalOutput, TerminalParams } from './requests.js';
import { RetainedOutput } from './retained-output.js';
import { RenderedOutput } from './rendered-output.js';
import { AcpSession, noSuchSession } from './session.js';

/** Maximum number of ids, more than any agent refers to again. Further ids displace the oldest. */
const MAX_REMEMBERED_IDS = 10_000;
const MIB = 1 << 20;
/** A byte may take six when it is escaped in JSON, and peers accept lines of at most 32 MiB. */
const MOST_OUTPUT_BYTES = 5 * MIB;

const bytes = z.int().min(0);
const outputLimits = z.object({
  defaultOutputBytes: bytes.default(MIB),
  maxOutputBytes: bytes.max(MOST_OUTPUT_BYTES).default(4 * MIB),
});

export interface AcpTerminalsOptions {
  /** Holds the terminals. Remains open when this object is closed. */
  readonly manager: TerminalManager;
  /** Checked before each command. Default: null, which allows all commands. */
  readonly policy?: CommandPolicy | null;
  /** Receives each terminal's events while the terminal is in use. Default: null. */
  readonly display?: TerminalDisplay | null;
  /**
   * What `terminalOutput` returns. `raw` (default): what the command wrote, append-only, with plain line endings.
   * `text`: what a person would have seen, without escape sequences; the part that is still on the screen may change.
   */
  readonly output?: 'raw' | 'text';
  /**
   * Maximum number of output bytes kept if the agent does not specify a limit: a whole number, or 0 for none. Default:
   * 1 MiB.
   */
  readonly defaultOutputBytes?: number;
  /** Maximum number of output bytes kept even if the agent specifies more, from 0 to 5 MiB. Default: 4 MiB. */
  readonly maxOutputBytes?: number;
  /** Labels for each terminal. Default: none. The label `agent` is also recorded as the name of the creator. */
  readonly labels?: TerminalLabels;
  /**
   * Directory of sessions that were not opened with `openSession`. Default: the process's directory until `openSession`
   * is first called; from then on, such sessions are refused.
   */
  readonly cwd?: string;
}

export class AcpTerminals {
  readonly #options: AcpTerminalsOptions;
  /** Returns the number of output bytes to keep for the agent's limit. */
  readonly #outputLimit: (requested: number | null) => number;
  readonly #sessions = new Map<string, AcpSession>();
  /**
   * The session of each id that the agent has received, to distinguish a released terminal from one that never existed.
   */
  readonly #issuedIds = new LruMap<string>(MAX_REMEMBERED_IDS);
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;
  /** Whether the caller has ever called `openSession`. */
  #hasSessions = false;
  /** The cleanup of abandoned terminals, which happens once. */
  #tidying: Promise<void> | null = null;

  /**
   * @throws `INVALID_INPUT` if `defaultOutputBytes` or `maxOutputBytes` is not a whole number, is negative, or exceeds
   * what one response can hold.
   */
  constructor(options: AcpTerminalsOptions) {
    this.#options = options;
    this.#outputLimit = readOutputLimits(options);
  }

  /**
   * Opens a session, or changes its directory.
   *
   * @param session - `cwd` is an absolute path, where commands run if the agent does not specify a directory.
   */
  openSession(sessionId: string, session: { readonly cwd: string }): void {
    this.#checkOpen();
    const cwd = absoluteDirectory(session.cwd);
    this.#hasSessions = true;
    const known = this.#sessions.get(sessionId);
    if (known === undefined) this.#sessions.set(sessionId, new AcpSession(cwd));
    else known.cwd = cwd;
  }

  /** Releases all terminals of a session. */
  async closeSession(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    if (session === undefined) return;
    const reason = new TerminalError('SHUTTING_DOWN', `Session ${sessionId} is closed`, { sessionId });
    const closing = session.close(reason).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    await closing;
  }

  /**
   * Starts a command and returns immediately.
   *
   * @param params - The params of `terminal/create`. `command` without `args` is a line for a shell (bash or, if that
   * is missing, sh); with `args`, it is a program. `_meta.tenacitty` may contain `cols` and `rows`.
   * @param signal - Abort it when the terminal is no longer wanted. No terminal then remains.
   * @throws `INVALID_INPUT` if the params are invalid or the program or directory does not exist, `COMMAND_DENIED` if
   * the policy does not allow the command, `SHUTTING_DOWN` after `close`, the reason of `signal`, or an error of
   * `TerminalManager.create`.
   */
  async createTerminal(params: CreateTerminalParams, signal?: AbortSignal): Promise<CreatedTerminal> {
    const request = parseCreationRequest(params);
    this.#checkOpen();
    this.endAbandoned();
    const session = this.#session(request.sessionId);
    const given = signal === undefined ? session.closed : AbortSignal.any([signal, session.closed]);
    const terminal = await session.add(() => this.#begin(request, session.cwd, given));
    this.#issuedIds.set(terminal.id, request.sessionId);
    return { terminalId: terminal.id };
  }

  /**
   * Returns the command's output so far, within the limit, without waiting.
   *
   * @throws `TERMINAL_NOT_FOUND` if the session has no such terminal.
   */
  async terminalOutput(params: TerminalParams): Promise<TerminalOutput> {
    const terminal = this.#find(params);
    // Read before the output, because no more output may follow once the exit has been reported.
    const { exit } = terminal;
    const { output, truncated } = await terminal.output();
    return { output, truncated, ...(exit === null ? {} : { exitStatus: exitStatusOf(exit) }) };
  }

  /**
   * Resolves when the command has ended and all its output has been read. Does not wait for a child that the command
   * left in the background.
   *
   * @param signal - Ends the wait, but never the command.
   * @throws `TERMINAL_NOT_FOUND` if the session has no such terminal, or the reason of `signal`.
   */
  async waitForTerminalExit(params: TerminalParams, signal?: AbortSignal): Promise<ExitStatus> {
    return exitStatusOf(await this.#find(params).untilExit(signal));
  }

  /**
   * Ends the command and all processes that it started: with SIGTERM, with SIGHUP as soon as only processes that ignore
   * SIGTERM are left, and with SIGKILL after the manager's `killGraceMs` (two seconds). The terminal remains. Resolves
   * when the processes have ended and their output has been read.
   *
   * @throws `TERMINAL_NOT_FOUND` if the session has no such terminal, or `KILL_FAILED` if a process does not end.
   */
  async killTerminal(params: TerminalParams): Promise<Record<string, never>> {
    await this.#find(params).kill();
    return {};
  }

  /**
   * Ends the command as `killTerminal` does, and frees all resources. The id becomes invalid as soon as the call is
   * made, and pending waits resolve. Releasing a terminal again, or after its session has ended, does nothing, because
   * the last 10,000 ids of a connection are remembered.
   *
   * @throws `TERMINAL_NOT_FOUND` if the session never had such a terminal, or `KILL_FAILED` if a process does not end.
   */
  async releaseTerminal(params: TerminalParams): Promise<Record<string, never>> {
    const { sessionId, terminalId } = check('', terminalParams, params);
    const owner = this.#ownerOf(terminalId) ?? this.#issuedIds.peek(terminalId);
    if (owner !== sessionId) throw noSuchTerminal(sessionId, terminalId, owner);
    this.#issuedIds.set(terminalId, sessionId);
    await this.#sessions.get(sessionId)?.release(terminalId);
    return {};
  }

  /**
   * Ends the terminals that killed clients left behind, in the background; `close` waits for this. Happens once, at the
   * latest when the first command starts.
   */
  endAbandoned(): void {
    this.#tidying ??= endAbandoned(this.#options.manager).catch(() => undefined);
  }

  /** Returns the manager's id of the terminal, or undefined if the terminal is unknown or has been released. */
  idOf(terminalId: string): string | undefined {
    return this.#ownerOf(terminalId) === undefined ? undefined : terminalId;
  }

  /**
   * Ends and frees everything after the connection has closed. Can be called more than once; each call waits until this
   * is done.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const sessionId of [...this.#sessions.keys()]) void this.closeSession(sessionId);
    await Promise.all(this.#closing);
    await this.#tidying;
  }

  async #begin(request: CreationRequest, sessionCwd: string, signal: AbortSignal): Promise<AgentTerminal> {
    const { manager, labels = {} } = this.#options;
    const cwd = realDirectory(request.cwd ?? sessionCwd);
    const { env, timeLimitMs } = await this.#permit(request, cwd, signal);
    signal.throwIfAborted();
    const limit = timeLimitMs === null ? {} : { timeLimitMs };
    const place = { cwd, labels: { ...labels, ...ownLabels() }, ...request.size, ...limit };
    const by = callerOf('acp', labels?.['agent'], userName());
    const { id } = await startProgram(manager, { ...request.program, env }, place, by);
    const terminal = new AgentTerminal(manager, id, this.#createOutput(id, request.limit), this.#listener(id));
    try {
      signal.throwIfAborted();
      this.#notifyStart({ terminalId: id, sessionId: request.sessionId, command: request.shown, cwd });
      await terminal.follow();
      signal.throwIfAborted();
      return terminal;
    } catch (error) {
      await terminal.release().catch(() => undefined);
      throw error;
    }
  }

  async #permit(
    { program, sessionId, shown }: CreationRequest,
    cwd: string,
    signal: AbortSignal,
  ): Promise<CommandPermit> {
    const { policy = null } = this.#options;
    if (policy === null) return { env: program.env, timeLimitMs: null };
    try {
      return await policy.permit({ ...program, door: 'acp', cwd }, signal);
    } catch (error) {
      const isRefusal = error instanceof TerminalError && !signal.aborted;
      if (isRefusal) this.#notifyRefusal({ sessionId, command: shown, cwd, reason: error.message });
      throw error;
    }
  }

  #createOutput(id: string, requested: number | null): AgentOutput {
    const { manager, output = 'raw' } = this.#options;
    const limit = this.#outputLimit(requested);
    return output === 'raw' ? new RetainedOutput(limit) : new RenderedOutput(manager, id, limit);
  }

  #notifyStart(terminal: ShownTerminal): void {
    try {
      this.#options.display?.started(terminal);
    } catch {
      // An error in the display does not prevent a command from running.
    }
  }

  #notifyRefusal(command: RefusedCommand): void {
    try {
      this.#options.display?.refused?.(command);
    } catch {
      // The agent receives the reason in any case.
    }
  }

  #listener(terminalId: string): TerminalListener {
    const { display = null } = this.#options;
    return {
      output: (bytes) => display?.output(terminalId, bytes),
      ended: (exit) => display?.ended(terminalId, exit),
    };
  }

  #session(sessionId: string): AcpSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    if (this.#hasSessions && this.#options.cwd === undefined) throw noSuchSession(sessionId);
    const session = new AcpSession(this.#options.cwd ?? process.cwd());
    this.#sessions.set(sessionId, session);
    return session;
  }

  #find(params: TerminalParams): AgentTerminal {
    const { sessionId, terminalId } = check('', terminalParams, params);
    const terminal = this.#sessions.get(sessionId)?.terminal(terminalId);
    if (terminal !== undefined) return terminal;
    throw noSuchTerminal(sessionId, terminalId, this.#ownerOf(terminalId));
  }

  /** Returns the session of a terminal that has not been released. */
  #ownerOf(terminalId: string): string | undefined {
    return [...this.#sessions].find(([, session]) => session.terminal(terminalId) !== undefined)?.[0];
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new TerminalError('SHUTTING_DOWN', 'The connection to the agent is closed');
  }
}

/**
 * Returns the error for an unknown terminal.
 *
 * @param owner - The session that the terminal belongs to, if known.
 */
function noSuchTerminal(sessionId: string, terminalId: string, owner = sessionId): TerminalError {
  const message =
    owner === sessionId
      ? `Terminal ${terminalId} not found: it never existed, or was released`
      : `Terminal ${terminalId} belongs to another session, not to session ${sessionId}`;
  return new TerminalError('TERMINAL_NOT_FOUND', message, { sessionId, terminalId });
}

function exitStatusOf({ exitCode, signal, timeLimitMs }: TerminalExit): ExitStatus {
  return { exitCode, signal, ...(timeLimitMs === undefined ? {} : { _meta: { tenacitty: { timeLimitMs } } }) };
}

/**
 * Returns a function that maps the agent's limit to the number of bytes to keep.
 *
 * @throws `INVALID_INPUT` if a limit is not a whole number of bytes or exceeds what one response can hold.
 */
function readOutputLimits(given: z.input<typeof outputLimits>): (requested: number | null) => number {
  const { defaultOutputBytes, maxOutputBytes } = check('', outputLimits, given);
  return (requested) => Math.min(requested ?? defaultOutputBytes, maxOutputBytes);
}
