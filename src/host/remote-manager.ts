/**
 * The terminals of all hosts as one manager. Callers see no difference from local terminals, except that these outlive
 * the calling process. Does not depend on the API layer.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { check } from '../check.js';
import type { WaitFor } from '../contract/command.js';
import type { ManagerSummary, Subscription, TerminalManager } from '../contract/manager.js';
import { CalledManager, METHODS } from '../contract/methods.js';
import type { Call, Method, MethodName } from '../contract/methods.js';
import type { KillTerminal, ListTerminals, TerminalDetail, TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import type { Asker } from '../launch/launch.js';
import { asModel } from '../launch/like.js';
import { DEFAULT_ENGINE_OPTIONS, perTerminal, type EngineOptions } from '../contract/options.js';
import type { LinkOptions, HostLink } from './host-link.js';
import { isGone, releaseAll, upgradeAll } from './all-hosts.js';
import type { UpgradedHost } from './all-hosts.js';
import { notFound } from '../terminal/not-found.js';
import { againIfLost, Hosts, isError, isUnresponsive } from './hosts.js';
import { defaultHostProgram } from './launch.js';
import { IDLE_EXIT_MS, MAX_HOST_TERMINALS } from './options.js';
import type { HostStatus } from './hosts.js';
import type { RemoteOptions } from './options.js';
import { RemoteSubscription } from './remote-subscription.js';
import type { Resumption } from './remote-subscription.js';
import { EMPTY_SUMMARY, sumOf } from './summaries.js';
import { waitOverLosses } from './wait-over-losses.js';

const PING_EVERY_MS = 1000;
const UNRESPONSIVE_AFTER_MS = 5000;
const START_TIMEOUT_MS = 10_000;

/** Holds terminals in host processes, which are started on demand and outlive this process. */
export class RemoteTerminalManager extends CalledManager implements TerminalManager {
  readonly #options: RemoteOptions;
  readonly #engine: Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir'>;
  readonly #hosts: Hosts;
  /** No longer creates terminals. */
  #isEnding = false;
  /** No longer holds any terminals. */
  #isOver = false;

  /**
   * Does not connect or start anything yet. Relative directories are resolved against the current working directory.
   */
  constructor(options: RemoteOptions) {
    super();
    const [dataDir, runtimeDir] = [resolve(options.dataDir), resolve(options.runtimeDir)];
    this.#options = { ...options, dataDir, runtimeDir };
    const {
      log: _log,
      historyDir: _directory,
      historyRoot: _root,
      shellDir: _shells,
      ...defaults
    } = DEFAULT_ENGINE_OPTIONS;
    this.#engine = { ...defaults, ...options.engine };
    const { maxTerminals } = this.#engine;
    this.#hosts = new Hosts({ dataDir, runtimeDir, maxTerminals, linkOptions: (slot) => this.#linkOptions(slot) });
  }

  /** The host checks the argument, except for values that JSON cannot represent. */
  async call(call: Call): Promise<unknown> {
    const own = this.#own[call.method];
    if (own !== undefined) return own(call);
    const { isPure = false, waitMs }: Method = METHODS[call.method];
    if (waitMs !== undefined) return this.#wait(call, waitMs);
    return isPure ? againIfLost(() => this.#ask(call)) : this.#ask(call);
  }

  /** Methods that need more than a request to the host that holds the terminal. */
  readonly #own: { readonly [Name in MethodName]?: (call: Call) => Promise<unknown> } = {
    create: (call) => this.#create(call),
    list: ({ argument }) => this.#list(check('', METHODS.list.argument, argument)),
    summary: () => this.#summary(),
    get: async (call) => {
      const id = this.#isOver ? call.id! : await this.#hosts.idOf(call.id!);
      return againIfLost(() => this.#ask({ ...call, id }));
    },
    update: (call) => this.#update(call),
    wait: (call) => this.#waitFor(call),
    // A host that is handing over the terminal may already have started the command. The key identifies it, so that a
    // retry does not run it twice.
    exec: (call) => this.#wait({ ...call, key: call.key ?? randomUUID() }, METHODS.exec.waitMs),
    subscribe: ({ id, argument }) => this.#subscribe(id!, argument as number | undefined),
    kill: (call) => this.#ask(this.#withGrace(call)),
    remove: async (call) => {
      const link = await this.#holderOf(call.id!);
      await this.#askOf(link, this.#withGrace(call));
      link.terminals.delete(call.id!);
    },
  };

  async #create({ argument: given, key }: Call): Promise<TerminalDetail> {
    this.#checkOpen();
    const { like, ...request } = check('', METHODS.create.argument, given);
    const argument = like === undefined ? request : asModel(request, await this.get(like));
    this.#checkOpen();
    return this.#hosts.create({ method: 'create', argument, key, asker: this.#asker() }, request.name);
  }

  async #list({ labels, name }: ListTerminals): Promise<TerminalSummary[]> {
    if (this.#isOver) return [];
    const isAll = labels === undefined && name === undefined;
    const listOf = (link: HostLink): Promise<TerminalSummary[]> =>
      isAll ? this.#hosts.terminalsOf(link) : this.#hosts.fittingOf(link, { labels, name });
    const lists = await Promise.allSettled(this.#hosts.known().map(listOf));
    const told = lists.filter((list) => list.status === 'fulfilled');
    const failed = lists.find((list) => list.status === 'rejected');
    // `summary` reports unreachable hosts; one of them must not hide the terminals of the others.
    if (failed !== undefined && told.length === 0) throw failed.reason;
    const terminals = told.flatMap(({ value }) => value);
    return terminals.sort((a, b) => (a.created < b.created ? -1 : Number(a.created > b.created)));
  }

  async #update(call: Call): Promise<unknown> {
    const { status } = await this.get(call.id!);
    const { name } = check('', METHODS.update.argument, call.argument);
    const update = () => this.#ask(call) as Promise<TerminalDetail>;
    return typeof name === 'string' && status === 'active' ? this.#hosts.rename(call.id!, name, update) : update();
  }

  #wait(call: Call, waitMs: number): Promise<unknown> {
    const { timeoutMs = waitMs } = (call.argument ?? {}) as { readonly timeoutMs?: number };
    return waitOverLosses(timeoutMs, (leftMs) => this.#ask(within(call, { timeoutMs: leftMs })));
  }

  /** Only output after the first request counts, even if the wait is repeated. */
  async #waitFor(call: Call): Promise<unknown> {
    const { timeoutMs = METHODS.wait.waitMs, fromOffset } = (call.argument ?? {}) as WaitFor;
    let from = fromOffset ?? (await this.get(call.id!)).totalBytes;
    return waitOverLosses(timeoutMs, async (leftMs, isAgain) => {
      // If a terminal was lost with its host, its last output may be lost too.
      if (isAgain) from = Math.min(from, (await this.get(call.id!)).totalBytes);
      return this.#ask(within(call, { timeoutMs: leftMs, fromOffset: from }));
    });
  }

  async #subscribe(id: string, fromOffset?: number): Promise<Subscription> {
    const link = await this.#holderOf(id);
    const stream = await this.#forgettingOf(link, id, () => againIfLost(() => link.subscribe(id, fromOffset)));
    return new RemoteSubscription(stream, (offset) => this.#resume(id, offset));
  }

  async #summary(): Promise<ManagerSummary> {
    if (this.#isOver) return EMPTY_SUMMARY;
    return sumOf(await Promise.all(this.#hosts.known().map(summaryOf)));
  }

  /** Returns the status of the running hosts, in order of their slots. Starts no host. */
  hosts(): Promise<HostStatus[]> {
    return this.#hosts.statuses();
  }

  /** Disconnects. The terminals keep running. */
  async close(): Promise<void> {
    this.#isEnding = true;
    this.#isOver = true;
    this.#hosts.close();
  }

  /**
   * Ends all terminals of all hosts, and the hosts.
   *
   * @throws `HOST_UNRESPONSIVE`, `HOST_FAILED` if a host could not be told; all others have ended.
   */
  async shutdown(graceMs = this.#engine.killGraceMs): Promise<void> {
    if (this.#isOver) return;
    this.#isEnding = true;
    const links = this.#hosts.reachable();
    const results = await Promise.allSettled(
      links.map((link) => link.requestOfAnyVersion({ method: 'shutdown', argument: graceMs })),
    );
    await this.close();
    // A host that is gone has no terminals, whatever ended it.
    const failed = results.find((result) => result.status === 'rejected' && !isGone(result.reason));
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /**
   * Makes every running host hand its terminals to a new process of this version, or of `hostProgram`. Programs are not
   * affected; clients are reconnected.
   *
   * @throws `HOST_FAILED` if a new process could not take over; the old one continues.
   */
  upgradeHosts(): Promise<UpgradedHost[]> {
    const { hostProgram = defaultHostProgram() } = this.#options;
    return upgradeAll(this.#hosts.reachable(), [process.execPath, ...hostProgram]);
  }

  /**
   * Makes hosts exit within seconds if they have no client, no running terminal and no history that exists only in
   * memory.
   */
  releaseHosts(): Promise<void> {
    return releaseAll(this.#hosts.live());
  }

  async #ask(call: Call): Promise<unknown> {
    return this.#askOf(await this.#holderOf(call.id!), call);
  }

  #askOf(link: HostLink, { signal, ...request }: Call): Promise<unknown> {
    return this.#forgettingOf(link, request.id!, () => link.request(request, signal));
  }

  /** A terminal that its host no longer knows was removed by another client. */
  async #forgettingOf<Answer>(link: HostLink, id: string, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (isError(error, ['TERMINAL_NOT_FOUND'])) link.terminals.delete(id);
      throw error;
    }
  }

  async #holderOf(id: string): Promise<HostLink> {
    if (this.#isOver) throw notFound(id, false);
    return this.#hosts.holderOf(id);
  }

  async #resume(id: string, offset: number): Promise<Resumption> {
    if (this.#isOver) throw new TerminalError('SHUTTING_DOWN', 'The manager was closed');
    try {
      return await (await this.#hosts.holderOf(id)).subscribe(id, offset);
    } catch (error) {
      if (isError(error, ['TERMINAL_NOT_FOUND'])) return [{ type: 'end', offset }];
      if (!isError(error, ['INVALID_INPUT'])) throw error;
    }
    // Its last output was lost with the host, so some of the output already delivered no longer exists.
    const { exitCode, signal } = await this.get(id);
    return [
      { type: 'exit', exitCode, signal },
      { type: 'end', offset },
    ];
  }

  #checkOpen(): void {
    if (!this.#isEnding) return;
    throw new TerminalError('SHUTTING_DOWN', 'The server is stopping and creates no new terminals');
  }

  /** Uses our grace period, not that of the process that started the host. */
  #withGrace(call: Call): Call {
    const { graceMs = this.#engine.killGraceMs } = (call.argument ?? {}) as KillTerminal;
    return within(call, { graceMs });
  }

  #asker(): Asker & { readonly env: Record<string, string> } {
    const env = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return {
      env: Object.fromEntries(env),
      cwd: currentDirectory(),
      settings: perTerminal(this.#engine as EngineOptions),
    };
  }

  #linkOptions(slot: number): LinkOptions {
    const { dataDir, runtimeDir, logLevel = 'info', idleExitMs = IDLE_EXIT_MS, ...rest } = this.#options;
    const { maxHostTerminals: maxTerminals = MAX_HOST_TERMINALS, log = () => {} } = rest;
    const { withheldEnv, placeEnv } = this.#engine;
    const engine = { ...this.#engine, withheldEnv: [...withheldEnv], placeEnv: { ...placeEnv } };
    return {
      host: { slot, dataDir, runtimeDir, maxTerminals, idleExitMs, logLevel, engine },
      hostProgram: rest.hostProgram ?? defaultHostProgram(),
      startTimeoutMs: rest.startTimeoutMs ?? START_TIMEOUT_MS,
      pingEveryMs: rest.pingEveryMs ?? PING_EVERY_MS,
      unresponsiveAfterMs: rest.unresponsiveAfterMs ?? UNRESPONSIVE_AFTER_MS,
      log,
    };
  }
}

/**
 * Returns the call with fields of its argument replaced. An argument that is not an object is left for the host to
 * refuse.
 */
function within(call: Call, part: object): Call {
  const { argument = {} } = call;
  const isObject = typeof argument === 'object' && argument !== null && !Array.isArray(argument);
  return isObject ? { ...call, argument: { ...argument, ...part } } : call;
}

/** Returns the summary of one host. If it does not respond, returns its last summary with the problem added. */
async function summaryOf(link: HostLink): Promise<ManagerSummary> {
  try {
    const summary = await againIfLost(() => link.request({ method: 'summary', argument: undefined }));
    link.lastSummary = summary as ManagerSummary;
    return link.lastSummary;
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    const problem = isUnresponsive(error) ? (link.problem ?? error.message) : error.message;
    return { ...(link.lastSummary ?? EMPTY_SUMMARY), problems: [problem], isIncomplete: true };
  }
}

/**
 * Returns the current directory, or its former path if it was removed. A program cannot start there, and the error
 * names the directory.
 */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
