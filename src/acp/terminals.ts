/**
 * The five terminal methods of ACP v1, as a client has to serve them to one agent: its sessions, the terminals of each,
 * and what may be asked of them. It knows neither the SDK nor how terminals are held or shown.
 */
import type { CommandPermit, CommandPolicy } from '../access/policy/command-policy.js';
import { check } from '../check.js';
import type { TerminalLabels } from '../contract/labels.js';
import type { TerminalManager } from '../contract/manager.js';
import { TerminalError } from '../errors.js';
import { AgentTerminal } from './agent-terminal.js';
import type { KeptOutput, TerminalListener } from './agent-terminal.js';
import { absoluteDirectory, readCreation } from './creation.js';
import type { Creation } from './creation.js';
import type { RefusedCommand, ShownTerminal, TerminalDisplay, TerminalExit } from './display.js';
import { GivenIds } from './given-ids.js';
import { endAbandoned, ownLabels } from './owner.js';
import { readOutputLimits } from './output-limits.js';
import { startProgram } from './program.js';
import { realDirectory } from './real-directory.js';
import { terminalParams } from './requests.js';
import type { CreatedTerminal, CreateTerminalParams, ExitStatus, TerminalOutput, TerminalParams } from './requests.js';
import { RetainedOutput } from './retained-output.js';
import { SeenOutput } from './seen-output.js';
import { AcpSession, noSuchSession } from './session.js';

export interface AcpTerminalsOptions {
  /** Where the terminals are held. It is not closed with these. */
  readonly manager: TerminalManager;
  /** Asked before anything runs. Default: null, all may run. */
  readonly policy?: CommandPolicy | null;
  /** Told of each terminal while it is used. Default: null. */
  readonly display?: TerminalDisplay | null;
  /**
   * What `terminalOutput` gives. `raw` (default): what the command wrote, in order and only ever added to, with plain
   * line ends. `text`: what a person would have seen, without escape sequences; what is still on the screen may change.
   */
  readonly output?: 'raw' | 'text';
  /** Most bytes of output that are kept, where the agent does not say: a whole number, 0 for none. Default: 1 MiB. */
  readonly defaultOutputBytes?: number;
  /** Most bytes of output that are kept, whatever the agent says: from 0 to 5 MiB. Default: 4 MiB. */
  readonly maxOutputBytes?: number;
  /** Put on each terminal. Default: none. */
  readonly labels?: TerminalLabels;
  /**
   * Directory of sessions nobody told of. Default: that of the process, until the first session was told of; from then on
   * others are refused.
   */
  readonly cwd?: string;
}

export class AcpTerminals {
  readonly #options: AcpTerminalsOptions;
  /** Bytes of output to keep, by what the agent asks for. */
  readonly #outputLimit: (asked: number | null) => number;
  readonly #sessions = new Map<string, AcpSession>();
  readonly #given = new GivenIds();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;
  /** Whether whoever made this tells of sessions at all. */
  #areSessionsTold = false;
  /** What others left is looked for once. */
  #tidying: Promise<void> | null = null;

  /**
   * @throws `INVALID_INPUT` for a `defaultOutputBytes` or `maxOutputBytes` that is no whole number, negative, or more than
   * one answer can hold.
   */
  constructor(options: AcpTerminalsOptions) {
    this.#options = options;
    this.#outputLimit = readOutputLimits(options);
  }

  /**
   * Tells of a session, or of its directory once more.
   *
   * @param session - `cwd`: absolute; where its commands run when the agent does not say.
   */
  openSession(sessionId: string, session: { readonly cwd: string }): void {
    this.#checkOpen();
    const cwd = absoluteDirectory(session.cwd);
    this.#areSessionsTold = true;
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
   * Starts a command and answers at once.
   *
   * @param params - As `terminal/create`. `command` without `args` is a line for a shell (bash, else sh); with `args` a
   * program. `_meta.tenacitty` may have `cols` and `rows`.
   * @param signal - Aborted when nobody wants the terminal any more: then there is none.
   * @throws `INVALID_INPUT` for params that are wrong, a program or a directory that is not there; `COMMAND_DENIED`;
   * `SHUTTING_DOWN` once closed; the reason of `signal`; as `TerminalManager.create`.
   */
  async createTerminal(params: CreateTerminalParams, signal?: AbortSignal): Promise<CreatedTerminal> {
    const request = readCreation(params);
    this.#checkOpen();
    this.endAbandoned();
    const session = this.#session(request.sessionId);
    const given = signal === undefined ? session.closed : AbortSignal.any([signal, session.closed]);
    const terminal = await session.add(() => this.#begin(request, session.cwd, given));
    this.#given.add(terminal.id, request.sessionId);
    return { terminalId: terminal.id };
  }

  /** What the command has printed so far, within the limit, without waiting. @throws `TERMINAL_NOT_FOUND` */
  async terminalOutput(params: TerminalParams): Promise<TerminalOutput> {
    const terminal = this.#find(params);
    // Looked at first: what is told of as ended has no more output to come.
    const { exit } = terminal;
    const { output, truncated } = await terminal.output();
    return { output, truncated, ...(exit === null ? {} : { exitStatus: exitStatusOf(exit) }) };
  }

  /**
   * Resolves when the command has ended and all that it printed is there. A child that it left in the background is not
   * waited for.
   *
   * @param signal - Ends the wait, never the command.
   * @throws `TERMINAL_NOT_FOUND`, the reason of `signal`.
   */
  async waitForTerminalExit(params: TerminalParams, signal?: AbortSignal): Promise<ExitStatus> {
    return exitStatusOf(await this.#find(params).untilExit(signal));
  }

  /**
   * Ends the command and all it started: SIGTERM; SIGHUP as soon as only such are left as ignore that; SIGKILL after the
   * manager's `killGraceMs` (two seconds). The terminal stays. Resolves when they are gone and what they printed is there.
   *
   * @throws `TERMINAL_NOT_FOUND`, `KILL_FAILED`.
   */
  async killTerminal(params: TerminalParams): Promise<Record<string, never>> {
    await this.#find(params).kill();
    return {};
  }

  /**
   * As `killTerminal`, and frees all. From the call on the id means nothing; whoever waits is answered. To release what is
   * released already, be it by the end of its session, does nothing: the last 10,000 ids of a connection are remembered.
   *
   * @throws `TERMINAL_NOT_FOUND` for an id that the session never had, `KILL_FAILED`.
   */
  async releaseTerminal(params: TerminalParams): Promise<Record<string, never>> {
    const { sessionId, terminalId } = check('', terminalParams, params);
    const owner = this.#ownerOf(terminalId) ?? this.#given.sessionOf(terminalId);
    if (owner !== sessionId) throw noSuchTerminal(sessionId, terminalId, owner);
    this.#given.add(terminalId, sessionId);
    await this.#sessions.get(sessionId)?.release(terminalId);
    return {};
  }

  /**
   * Ends what clients have left that were killed, in the background; `close` waits for it. It is done once, and with the
   * first command at the latest.
   */
  endAbandoned(): void {
    this.#tidying ??= endAbandoned(this.#options.manager).catch(() => undefined);
  }

  /** The manager's id of a terminal that is not released, or undefined. */
  idOf(terminalId: string): string | undefined {
    return this.#ownerOf(terminalId) === undefined ? undefined : terminalId;
  }

  /** The connection is gone: ends and frees everything, which each call waits for. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const sessionId of [...this.#sessions.keys()]) void this.closeSession(sessionId);
    await Promise.all(this.#closing);
    await this.#tidying;
  }

  async #begin(request: Creation, sessionCwd: string, signal: AbortSignal): Promise<AgentTerminal> {
    const { manager, labels = {} } = this.#options;
    const cwd = realDirectory(request.cwd ?? sessionCwd);
    const { env, timeLimitMs } = await this.#permit(request, cwd, signal);
    signal.throwIfAborted();
    const limit = timeLimitMs === null ? {} : { timeLimitMs };
    const place = { cwd, labels: { ...labels, ...ownLabels() }, ...request.size, ...limit };
    const { id } = await startProgram(manager, { ...request.program, env }, place);
    const terminal = new AgentTerminal(manager, id, this.#keptOutput(id, request.limit), this.#listener(id));
    try {
      signal.throwIfAborted();
      this.#tellStart({ terminalId: id, sessionId: request.sessionId, command: request.shown, cwd });
      await terminal.follow();
      signal.throwIfAborted();
      return terminal;
    } catch (error) {
      await terminal.release().catch(() => undefined);
      throw error;
    }
  }

  async #permit({ program, sessionId, shown }: Creation, cwd: string, signal: AbortSignal): Promise<CommandPermit> {
    const { policy = null } = this.#options;
    if (policy === null) return { env: program.env, timeLimitMs: null };
    try {
      return await policy.permit({ ...program, door: 'acp', cwd }, signal);
    } catch (error) {
      const isRefusal = error instanceof TerminalError && !signal.aborted;
      if (isRefusal) this.#tellRefusal({ sessionId, command: shown, cwd, reason: error.message });
      throw error;
    }
  }

  #keptOutput(id: string, asked: number | null): KeptOutput {
    const { manager, output = 'raw' } = this.#options;
    const limit = this.#outputLimit(asked);
    return output === 'raw' ? new RetainedOutput(limit) : new SeenOutput(manager, id, limit);
  }

  #tellStart(terminal: ShownTerminal): void {
    try {
      this.#options.display?.started(terminal);
    } catch {
      // What goes wrong where it is shown keeps no command from running.
    }
  }

  #tellRefusal(command: RefusedCommand): void {
    try {
      this.#options.display?.refused?.(command);
    } catch {
      // The agent is told why all the same.
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
    if (this.#areSessionsTold && this.#options.cwd === undefined) throw noSuchSession(sessionId);
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

  /** The session of a terminal that is not released. */
  #ownerOf(terminalId: string): string | undefined {
    return [...this.#sessions].find(([, session]) => session.terminal(terminalId) !== undefined)?.[0];
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new TerminalError('SHUTTING_DOWN', 'The connection to the agent is closed');
  }
}

/** @param owner - The session it is of, if that is known. */
function noSuchTerminal(sessionId: string, terminalId: string, owner = sessionId): TerminalError {
  const message =
    owner === sessionId
      ? `Terminal ${terminalId} not found; it never existed, or was released`
      : `Terminal ${terminalId} is another session's, not of session ${sessionId}`;
  return new TerminalError('TERMINAL_NOT_FOUND', message, { sessionId, terminalId });
}

function exitStatusOf({ exitCode, signal, timeLimitMs }: TerminalExit): ExitStatus {
  return { exitCode, signal, ...(timeLimitMs === undefined ? {} : { _meta: { tenacitty: { timeLimitMs } } }) };
}
