/**
 * Presents the terminals of all hosts as one manager. Callers see no difference from local terminals, except that the
 * terminals outlive the calling process.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { check, checkedOptions } from '../check.js';
import type { WaitFor } from '../contract/command.js';
import type { ManagerSummary, Subscription, TerminalManager, Watch } from '../contract/manager.js';
import { CallDispatchingManager, METHODS } from '../contract/methods.js';
import type { MethodCall, ManagerMethod, MethodName } from '../contract/methods.js';
import type { ListOverview, OverviewTerminal } from '../contract/overview.js';
import type { Viewer } from '../contract/presence.js';
import type { KillTerminal, ListTerminals, TerminalDetail, TerminalSummary } from '../contract/terminal.js';
import type { WatchRequest } from '../contract/watch.js';
import { createsNoTerminals, TerminalError } from '../errors.js';
import type { RequestingProcess } from '../launch/launch.js';
import { likeTerminal } from '../launch/like-terminal.js';
import { DEFAULT_ENGINE_OPTIONS, perTerminal, type EngineOptions } from '../contract/options.js';
import type { LinkOptions, HostLink } from './host-link.js';
import { isGone, releaseAll, upgradeAll } from './all-hosts.js';
import type { UpgradedHost } from './all-hosts.js';
import { byCreation, type Created } from '../terminal/identity.js';
import { notFound } from '../terminal/not-found.js';
import { defaultDataDir, defaultRuntimeDir } from '../data-directory.js';
import { retryIfLost, Hosts, isError, isUnresponsive, waitAcrossHostLoss } from './hosts.js';
import { defaultHostProgram } from './launch.js';
import { IDLE_EXIT_MS, MAX_HOST_TERMINALS, REMOTE_OPTION_TYPES } from './options.js';
import type { HostFigures, HostStatus } from './hosts.js';
import type { RemoteOptions } from './options.js';
import { RemoteSubscription } from './remote-subscription.js';
import type { Resumption } from './remote-subscription.js';
import { EMPTY_SUMMARY, sumOf } from './summaries.js';
import { RemoteWatch } from './watch/remote-watch.js';

const PING_EVERY_MS = 1000;
const UNRESPONSIVE_AFTER_MS = 5000;
const START_TIMEOUT_MS = 10_000;

/** Holds terminals in host processes, which are started on demand and outlive this process. */
export class RemoteTerminalManager extends CallDispatchingManager implements TerminalManager {
  readonly #options: RemoteOptions & { readonly dataDir: string; readonly runtimeDir: string };
  readonly #engine: Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir'>;
  readonly #hosts: Hosts;
  /** Whether it no longer creates terminals. */
  #isEnding = false;
  /** Whether it no longer holds any terminals. */
  #isOver = false;

  /**
   * Neither connects nor starts anything yet. Resolves relative directories against the current working directory.
   *
   * @throws `INVALID_INPUT` for an unknown option, or one of the wrong type.
   */
  constructor(given: RemoteOptions = {}) {
    super();
    const options = checkedOptions(given, REMOTE_OPTION_TYPES);
    const dataDir = resolve(options.dataDir ?? defaultDataDir(process.env));
    const runtimeDir = resolve(options.runtimeDir ?? defaultRuntimeDir(process.env, dataDir));
    this.#options = { ...options, dataDir, runtimeDir };
    const {
      log: _log,
      historyDir: _directory,
      historyRoot: _root,
      shellDir: _shells,
      ...defaults
    } = DEFAULT_ENGINE_OPTIONS;
    this.#engine = { ...defaults, ...checkedOptions(options.engine ?? {}, defaults, 'engine.') };
    const { maxTerminals } = this.#engine;
    this.#hosts = new Hosts({ dataDir, runtimeDir, maxTerminals, linkOptions: (slot) => this.#linkOptions(slot) });
  }

  /** Dispatches a call. The host checks the argument, except for values that JSON cannot represent. */
  async call(call: MethodCall): Promise<unknown> {
    const own = this.#own[call.method];
    if (own !== undefined) return own(call);
    const { action, waitMs }: ManagerMethod = METHODS[call.method];
    if (waitMs !== undefined) return this.#wait(call, waitMs);
    return action === 'view' ? retryIfLost(() => this.#request(call)) : this.#request(call);
  }

  /** Methods that need more than a request to the host that holds the terminal. */
  readonly #own: { readonly [Name in MethodName]?: (call: MethodCall) => Promise<unknown> } = {
    create: (call) => this.#create(call),
    list: ({ argument }) => this.#list(check('', METHODS.list.argument, argument)),
    summary: () => this.#summary(),
    get: async (call) => {
      const id = this.#isOver ? call.id! : await this.#hosts.idOf(call.id!);
      return retryIfLost(() => this.#request({ ...call, id }));
    },
    update: (call) => this.#update(call),
    wait: (call) => this.#waitFor(call),
    // A host that is handing over the terminal may already have started the command. The key identifies it, so that a
    // retry does not run it twice.
    exec: (call) => this.#wait({ ...call, key: call.key ?? randomUUID() }, METHODS.exec.waitMs),
    // Repeating this request is harmless. Otherwise, the request would fail during a hand-off.
    drawn: (call) => retryIfLost(() => this.#request(call)),
    subscribe: ({ id, argument, viewer }) => this.#subscribe(id!, argument as number | undefined, viewer),
    overview: ({ argument }) => this.#overview(check('', METHODS.overview.argument, argument)),
    watch: ({ argument }) => this.#watch(check('', METHODS.watch.argument, argument)),
    kill: (call) => this.#request(this.#withGrace(call)),
    remove: async (call) => {
      const link = await this.#holderOf(call.id!);
      await this.#requestOf(link, this.#withGrace(call));
      link.terminals.delete(call.id!);
    },
  };

  async #create({ argument: given, key, by }: MethodCall): Promise<TerminalDetail> {
    this.#checkOpen();
    const { like, ...request } = check('', METHODS.create.argument, given);
    const argument = like === undefined ? request : likeTerminal(request, await this.get(like));
    this.#checkOpen();
    return this.#hosts.create({ method: 'create', argument, key, by, asker: this.#asker() }, request.name);
  }

  async #list({ labels, name }: ListTerminals): Promise<TerminalSummary[]> {
    const isAll = labels === undefined && name === undefined;
    const listOf = (link: HostLink): Promise<TerminalSummary[]> =>
      isAll ? this.#hosts.terminalsOf(link) : this.#hosts.listMatching(link, { labels, name });
    return this.#ofAllHosts(listOf);
  }

  #overview(argument: ListOverview): Promise<OverviewTerminal[]> {
    return this.#ofAllHosts((link) => {
      const answer = retryIfLost(() => link.request({ method: 'overview', argument }));
      return answer as Promise<OverviewTerminal[]>;
    });
  }

  /** Returns the results of all hosts, oldest terminals first. */
  async #ofAllHosts<Shown extends Created>(ask: (link: HostLink) => Promise<Shown[]>): Promise<Shown[]> {
    if (this.#isOver) return [];
    const lists = await Promise.allSettled(this.#hosts.known().map(ask));
    const answered = lists.filter((list) => list.status === 'fulfilled');
    const failed = lists.find((list) => list.status === 'rejected');
    // An unreachable host must not hide the terminals of the others; `summary` reports it.
    if (failed !== undefined && answered.length === 0) throw failed.reason;
    return answered.flatMap(({ value }) => value).sort(byCreation);
  }

  async #update(call: MethodCall): Promise<unknown> {
    const { status } = await this.get(call.id!);
    const { name } = check('', METHODS.update.argument, call.argument);
    const update = () => this.#request(call) as Promise<TerminalDetail>;
    return typeof name === 'string' && status === 'active' ? this.#hosts.rename(call.id!, name, update) : update();
  }

  #wait(call: MethodCall, waitMs: number): Promise<unknown> {
    const { timeoutMs = waitMs } = (call.argument ?? {}) as { readonly timeoutMs?: number };
    return waitAcrossHostLoss(timeoutMs, (leftMs) => this.#request(within(call, { timeoutMs: leftMs })));
  }

  /** Searches the output from where the first request began, even if the wait is repeated. */
  async #waitFor(call: MethodCall): Promise<unknown> {
    const { timeoutMs = METHODS.wait.waitMs, fromOffset } = (call.argument ?? {}) as WaitFor;
    let from = fromOffset ?? (await this.get(call.id!)).totalBytes;
    return waitAcrossHostLoss(timeoutMs, async (leftMs, isAgain) => {
      // If a terminal was lost with its host, its last output may also be lost.
      if (isAgain) from = Math.min(from, (await this.get(call.id!)).totalBytes);
      return this.#request(within(call, { timeoutMs: leftMs, fromOffset: from }));
    });
  }

  async #subscribe(id: string, fromOffset?: number, viewer?: Viewer): Promise<Subscription> {
    const link = await this.#holderOf(id);
    const stream = await this.#forgetIfGone(link, id, () => retryIfLost(() => link.subscribe(id, fromOffset, viewer)));
    return new RemoteSubscription(stream, (offset) => this.#resume(id, offset, viewer));
  }

  async #watch(request: WatchRequest): Promise<Watch> {
    if (this.#isOver) throw closed();
    return RemoteWatch.open(this.#hosts, request, this.#options.log ?? (() => {}));
  }

  async #summary(): Promise<ManagerSummary> {
    if (this.#isOver) return EMPTY_SUMMARY;
    return sumOf(await Promise.all(this.#hosts.known().map(summaryOf)));
  }

  /** Returns the status of the running hosts, in order of their slots. Starts no host. */
  hosts(): Promise<HostStatus[]> {
    return this.#hosts.statuses();
  }

  /** Returns the current figures of the running hosts, in order of their slots. Starts no host. @internal */
  hostFigures(): Promise<HostFigures[]> {
    return this.#hosts.figures();
  }

  /** Disconnects. The terminals keep running. */
  async close(): Promise<void> {
    this.#isEnding = true;
    this.#isOver = true;
    this.#hosts.close();
  }

  /**
   * Ends all terminals of all hosts, then the hosts.
   *
   * @throws `HOST_UNRESPONSIVE` or `HOST_FAILED` if a host could not be reached; all others have ended.
   */
  async shutdown(graceMs = this.#engine.killGraceMs): Promise<void> {
    if (this.#isOver) return;
    this.#isEnding = true;
    const links = this.#hosts.reachable();
    const results = await Promise.allSettled(
      links.map((link) => link.requestOfAnyVersion({ method: 'shutdown', argument: graceMs })),
    );
    await this.close();
    // A host that has exited has no terminals, no matter why it exited.
    const failed = results.find((result) => result.status === 'rejected' && !isGone(result.reason));
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /**
   * Makes every running host hand its terminals to a new process of this version, or of `hostProgram`. Programs are not
   * affected; clients reconnect.
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

  async #request(call: MethodCall): Promise<unknown> {
    return this.#requestOf(await this.#holderOf(call.id!), call);
  }

  #requestOf(link: HostLink, { signal, ...request }: MethodCall): Promise<unknown> {
    return this.#forgetIfGone(link, request.id!, () => link.request(request, signal));
  }

  /** Forgets a terminal that the host no longer knows, because another client has removed it. */
  async #forgetIfGone<Answer>(link: HostLink, id: string, ask: () => Promise<Answer>): Promise<Answer> {
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

  async #resume(id: string, offset: number, viewer: Viewer | undefined): Promise<Resumption> {
    if (this.#isOver) throw closed();
    try {
      return await (await this.#hosts.holderOf(id)).subscribe(id, offset, viewer);
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
    if (this.#isEnding) throw createsNoTerminals();
  }

  /** Uses our grace period, not that of the process that started the host. */
  #withGrace(call: MethodCall): MethodCall {
    const { graceMs = this.#engine.killGraceMs } = (call.argument ?? {}) as KillTerminal;
    return within(call, { graceMs });
  }

  #asker(): RequestingProcess & { readonly env: Record<string, string> } {
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

function closed(): TerminalError {
  return new TerminalError('SHUTTING_DOWN', 'The manager was closed');
}

/**
 * Returns the call with fields of its argument replaced. Leaves an argument that is not an object for the host to
 * reject.
 */
function within(call: MethodCall, part: object): MethodCall {
  const { argument = {} } = call;
  const isObject = typeof argument === 'object' && argument !== null && !Array.isArray(argument);
  return isObject ? { ...call, argument: { ...argument, ...part } } : call;
}

/** Returns the summary of one host or, if the host is not responding, its last summary with the problem added. */
async function summaryOf(link: HostLink): Promise<ManagerSummary> {
  try {
    const summary = await retryIfLost(() => link.request({ method: 'summary', argument: undefined }));
    link.lastSummary = summary as ManagerSummary;
    return link.lastSummary;
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    const problem = isUnresponsive(error) ? (link.problem ?? error.message) : error.message;
    return { ...(link.lastSummary ?? EMPTY_SUMMARY), problems: [problem], isIncomplete: true };
  }
}

/**
 * Returns the current directory, or its former path if it was removed. No program can start there, and the error then
 * names the directory.
 */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
