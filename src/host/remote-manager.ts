/**
 * The terminals of all hosts, as one manager: who holds it cannot tell that they live in other processes, but that
 * they go on when this one ends. It knows no door.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { check } from '../check.js';
import {
  collectCommand,
  commandNumber,
  DEFAULT_EXEC_TIMEOUT_MS,
  DEFAULT_INTEGRATE_TIMEOUT_MS,
  DEFAULT_WAIT_FOR_MS,
  execCommand,
  integrateShell,
  listCommands,
  waitFor,
} from '../contract/command.js';
import type {
  CollectCommand,
  CommandRecord,
  CommandResult,
  ExecCommand,
  IntegrateShell,
  ListCommands,
  ShellWithin,
  WaitFor,
  WaitResult,
} from '../contract/command.js';
import type { ExecOptions } from '../contract/manager.js';
import type { ManagerSummary, OnceOptions, Subscription, TerminalManager, WaitOptions } from '../contract/manager.js';
import { readOutput, screenFormat } from '../contract/output.js';
import type { OutputPage, ReadOutput, TerminalScreen, TerminalSnapshot, TerminalStats } from '../contract/output.js';
import { searchOutput } from '../contract/search.js';
import type { SearchOutput, SearchResult } from '../contract/search.js';
import {
  createTerminal,
  endTerminal,
  listTerminals,
  sendSignal,
  terminalInput,
  terminalSize,
  updateTerminal,
} from '../contract/terminal.js';
import type {
  CreateTerminal,
  KillTerminal,
  ListTerminals,
  SendSignal,
  TerminalDetail,
  TerminalInput,
  TerminalSize,
  TerminalSummary,
  UpdateTerminal,
} from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import type { Asker } from '../terminal/launch.js';
import { asModel } from '../terminal/like.js';
import { DEFAULT_ENGINE_OPTIONS, perTerminal, type EngineOptions } from '../terminal/options.js';
import type { LinkOptions, HostLink } from './host-link.js';
import { isGone, releaseAll, upgradeAll } from './all-hosts.js';
import type { UpgradedHost } from './all-hosts.js';
import { againIfLost, Hosts, isError, isUnresponsive, notFound } from './hosts.js';
import { defaultHostProgram } from './launch.js';
import { IDLE_EXIT_MS, MAX_HOST_TERMINALS } from './options.js';
import type { HostStatus } from './hosts.js';
import type { RemoteOptions } from './options.js';
import type { Method } from './protocol.js';
import { RemoteSubscription } from './remote-subscription.js';
import type { Resumption } from './remote-subscription.js';
import { EMPTY_SUMMARY, sumOf } from './summaries.js';
import { waitOverLosses } from './wait-over-losses.js';

const PING_EVERY_MS = 1000;
const UNRESPONSIVE_AFTER_MS = 5000;
const START_TIMEOUT_MS = 10_000;

/** Keeps terminals in host processes, which are started when they are needed and outlive this one. */
export class RemoteTerminalManager implements TerminalManager {
  readonly #options: RemoteOptions;
  readonly #engine: Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir'>;
  readonly #hosts: Hosts;
  /** Creates nothing any more. */
  #isEnding = false;
  /** Holds nothing any more. */
  #isOver = false;

  /** Connects to nothing and starts nothing yet. Relative directories are relative to the working directory of now. */
  constructor(options: RemoteOptions) {
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

  async create(options: CreateTerminal = {}, { key }: OnceOptions = {}): Promise<TerminalDetail> {
    this.#checkOpen();
    const { like, ...request } = check('', createTerminal, options);
    const argument = like === undefined ? request : asModel(request, await this.get(like));
    this.#checkOpen();
    return this.#hosts.create({ method: 'create', argument, key, asker: this.#asker() }, request.name);
  }

  async list(request: ListTerminals = {}): Promise<TerminalSummary[]> {
    const { labels, name } = check('', listTerminals, request);
    if (this.#isOver) return [];
    const isAll = labels === undefined && name === undefined;
    const listOf = (link: HostLink): Promise<TerminalSummary[]> =>
      isAll ? this.#hosts.terminalsOf(link) : this.#hosts.fittingOf(link, { labels, name });
    const lists = await Promise.allSettled(this.#hosts.known().map(listOf));
    const told = lists.filter((list) => list.status === 'fulfilled');
    const failed = lists.find((list) => list.status === 'rejected');
    // `summary` tells of hosts that are out of reach; one of many keeps nobody from the others' terminals.
    if (failed !== undefined && told.length === 0) throw failed.reason;
    const terminals = told.flatMap(({ value }) => value);
    return terminals.sort((a, b) => (a.created < b.created ? -1 : Number(a.created > b.created)));
  }

  async get(idOrName: string): Promise<TerminalDetail> {
    const id = this.#isOver ? idOrName : await this.#hosts.idOf(idOrName);
    const detail = (await this.#ask('get', id)) as TerminalDetail;
    // A host of an earlier version says nothing of names and labels.
    const { name = null, labels = {} } = detail as Partial<TerminalDetail>;
    return { ...detail, name, labels };
  }

  async update(id: string, change: UpdateTerminal): Promise<TerminalDetail> {
    await this.#check(id, updateTerminal, change);
    const update = () => this.#askOnce('update', id, change) as Promise<TerminalDetail>;
    const [{ name }, { status }] = [change, await this.get(id)];
    return typeof name === 'string' && status === 'active' ? this.#hosts.rename(id, name, update) : update();
  }

  async write(id: string, input: TerminalInput, { key }: OnceOptions = {}): Promise<void> {
    await this.#check(id, terminalInput, input);
    const link = await this.#holderOf(id);
    await this.#forgettingOf(link, id, () => link.request({ method: 'write', id, argument: input, key }));
  }

  async read(id: string, request: ReadOutput = {}, { signal }: WaitOptions = {}): Promise<OutputPage> {
    await this.#check(id, readOutput, request);
    const ask = (timeoutMs: number): Promise<unknown> => this.#askOnce('read', id, { ...request, timeoutMs }, signal);
    return (await waitOverLosses(request.timeoutMs ?? 0, ask)) as OutputPage;
  }

  async wait(id: string, request: WaitFor = {}, { signal }: WaitOptions = {}): Promise<WaitResult> {
    await this.#check(id, waitFor, request);
    const { timeoutMs: timeoutMs = DEFAULT_WAIT_FOR_MS, fromOffset = (await this.get(id)).totalBytes } = request;
    let from = fromOffset;
    const ask = async (timeoutMs: number, isAgain: boolean): Promise<unknown> => {
      // Of a terminal that was lost with its host, the last output may be, too.
      if (isAgain) from = Math.min(from, (await this.get(id)).totalBytes);
      return this.#askOnce('wait', id, { ...request, fromOffset: from, timeoutMs }, signal);
    };
    return (await waitOverLosses(timeoutMs, ask)) as WaitResult;
  }

  async search(id: string, request: SearchOutput, { signal }: WaitOptions = {}): Promise<SearchResult> {
    await this.#check(id, searchOutput, request);
    return (await againIfLost(() => this.#askOnce('search', id, request, signal))) as SearchResult;
  }

  stats(id: string): Promise<TerminalStats> {
    return this.#ask('stats', id) as Promise<TerminalStats>;
  }

  async screen(id: string, format: 'text' | 'ansi' = 'text'): Promise<TerminalScreen> {
    await this.#check(id, screenFormat, format);
    return this.#ask('screen', id, format) as Promise<TerminalScreen>;
  }

  snapshot(id: string): Promise<TerminalSnapshot> {
    return this.#ask('snapshot', id) as Promise<TerminalSnapshot>;
  }

  async resize(id: string, size: TerminalSize): Promise<void> {
    await this.#check(id, terminalSize, size);
    await this.#askOnce('resize', id, size);
  }

  async signal(id: string, request: SendSignal): Promise<void> {
    await this.#check(id, sendSignal, request);
    await this.#askOnce('signal', id, request);
  }

  async clear(id: string): Promise<void> {
    await this.#askOnce('clear', id);
  }

  async kill(id: string, request: KillTerminal = {}): Promise<void> {
    await this.#check(id, endTerminal, request);
    await this.#askOnce('kill', id, this.#withGrace(request));
  }

  async remove(id: string, request: KillTerminal = {}): Promise<void> {
    await this.#check(id, endTerminal, request);
    const link = await this.#holderOf(id);
    await this.#askOf(link, 'remove', id, this.#withGrace(request));
    link.terminals.delete(id);
  }

  async subscribe(id: string, fromOffset?: number): Promise<Subscription> {
    const link = await this.#holderOf(id);
    const stream = await this.#forgettingOf(link, id, () => againIfLost(() => link.subscribe(id, fromOffset)));
    return new RemoteSubscription(stream, (offset) => this.#resume(id, offset));
  }

  /** A host that hands the terminal over may have begun the command: by the key it is known again, and not run twice. */
  async exec(id: string, request: ExecCommand, options: ExecOptions = {}): Promise<CommandResult> {
    const { signal, key = randomUUID(), place } = options;
    await this.#check(id, execCommand, request);
    const ask = (timeoutMs: number) =>
      this.#askOnce('exec', id, { key, place, request: { ...request, timeoutMs } }, signal);
    return (await waitOverLosses(request.timeoutMs ?? DEFAULT_EXEC_TIMEOUT_MS, ask)) as CommandResult;
  }

  async integrate(id: string, request: IntegrateShell = {}, { signal }: WaitOptions = {}): Promise<ShellWithin> {
    await this.#check(id, integrateShell, request);
    const ask = (timeoutMs: number): Promise<unknown> =>
      this.#askOnce('integrate', id, { ...request, timeoutMs }, signal);
    return (await waitOverLosses(request.timeoutMs ?? DEFAULT_INTEGRATE_TIMEOUT_MS, ask)) as ShellWithin;
  }

  async collect(
    id: string,
    commandId: number,
    request: CollectCommand = {},
    { signal }: WaitOptions = {},
  ): Promise<CommandResult> {
    await this.#check(id, collectCommand, request);
    const ask = (timeoutMs: number): Promise<unknown> =>
      this.#askOfCommand('collect', id, { commandId, request: { ...request, timeoutMs } }, signal);
    return (await waitOverLosses(request.timeoutMs ?? 0, ask)) as CommandResult;
  }

  async interrupt(id: string, commandId: number): Promise<boolean> {
    return (await this.#askOfCommand('interrupt', id, { commandId })) === true;
  }

  async commands(id: string, request: ListCommands = {}): Promise<CommandRecord[]> {
    await this.#check(id, listCommands, request);
    return (await this.#ask('commands', id, request)) as CommandRecord[];
  }

  async command(id: string, commandId: number): Promise<CommandRecord> {
    return (await this.#askOfCommand('command', id, { commandId })) as CommandRecord;
  }

  async readCommand(
    id: string,
    commandId: number,
    request: ReadOutput = {},
    { signal }: WaitOptions = {},
  ): Promise<OutputPage> {
    await this.#check(id, readOutput, request);
    const ask = (timeoutMs: number): Promise<unknown> =>
      this.#askOfCommand('readCommand', id, { commandId, request: { ...request, timeoutMs } }, signal);
    return (await waitOverLosses(request.timeoutMs ?? 0, ask)) as OutputPage;
  }

  async summary(): Promise<ManagerSummary> {
    if (this.#isOver) return EMPTY_SUMMARY;
    return sumOf(await Promise.all(this.#hosts.known().map(summaryOf)));
  }

  /** How the hosts that run are, in order of their slots. Starts none. */
  hosts(): Promise<HostStatus[]> {
    return this.#hosts.statuses();
  }

  /** Disconnects. The terminals go on. */
  async close(): Promise<void> {
    this.#isEnding = true;
    this.#isOver = true;
    this.#hosts.close();
  }

  /**
   * Ends all terminals of all hosts, and the hosts.
   *
   * @throws `HOST_UNRESPONSIVE`, `HOST_FAILED` if some host could not be told; all others have ended.
   */
  async shutdown(graceMs = this.#engine.killGraceMs): Promise<void> {
    if (this.#isOver) return;
    this.#isEnding = true;
    const links = this.#hosts.reachable();
    const results = await Promise.allSettled(
      links.map((link) => link.requestOfAnyVersion({ method: 'shutdown', argument: graceMs })),
    );
    await this.close();
    // A host that is gone has no terminals: whoever has ended it.
    const failed = results.find((result) => result.status === 'rejected' && !isGone(result.reason));
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /**
   * Has every host that runs hand its terminals to a new process of this version, or of `hostProgram`. Programs notice
   * nothing; who is connected is connected anew.
   *
   * @throws `HOST_FAILED` if a new process could not take over: the old one goes on.
   */
  upgradeHosts(): Promise<UpgradedHost[]> {
    const { hostProgram = defaultHostProgram() } = this.#options;
    return upgradeAll(this.#hosts.reachable(), [process.execPath, ...hostProgram]);
  }

  /** Has hosts end within seconds that have no client, no running terminal and nothing that is kept nowhere else. */
  releaseHosts(): Promise<void> {
    return releaseAll(this.#hosts.live());
  }

  async #askOfCommand(
    method: Method,
    id: string,
    argument: { readonly commandId: number; readonly request?: unknown },
    signal?: AbortSignal,
  ): Promise<unknown> {
    await this.#check(id, commandNumber, { commandId: argument.commandId });
    return this.#askOnce(method, id, argument, signal);
  }

  /** The host checks too, but what reaches it has been through JSON, where NaN is null and much cannot be said. */
  async #check(id: string, schema: z.ZodType, argument: unknown): Promise<void> {
    // As in a manager of its own terminals, one that is not there comes first.
    await this.#holderOf(id);
    check('', schema, argument);
  }

  /** For what asks and changes nothing. */
  #ask(method: Method, id: string, argument?: unknown): Promise<unknown> {
    return againIfLost(() => this.#askOnce(method, id, argument));
  }

  async #askOnce(method: Method, id: string, argument?: unknown, signal?: AbortSignal): Promise<unknown> {
    return this.#askOf(await this.#holderOf(id), method, id, argument, signal);
  }

  #askOf(link: HostLink, method: Method, id: string, argument?: unknown, signal?: AbortSignal): Promise<unknown> {
    return this.#forgettingOf(link, id, () => link.request({ method, id, argument }, signal));
  }

  /** A terminal that its host does not know any more was removed by somebody else. */
  async #forgettingOf<Answer>(link: HostLink, id: string, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (isError(error, ['TERMINAL_NOT_FOUND'])) link.terminals.delete(id);
      throw error;
    }
  }

  async #holderOf(id: string): Promise<HostLink> {
    if (this.#isOver) throw notFound(id);
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
    // Its last output went with its host: of what was seen, not all is there any more.
    const { exitCode, signal } = await this.get(id);
    return [
      { type: 'exit', exitCode, signal },
      { type: 'end', offset },
    ];
  }

  #checkOpen(): void {
    if (!this.#isEnding) return;
    throw new TerminalError('SHUTTING_DOWN', 'The server is stopping and takes no new terminals');
  }

  /** Ours counts, not that of whoever started the host. */
  #withGrace(request: KillTerminal): KillTerminal {
    return { graceMs: this.#engine.killGraceMs, ...request };
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

/** Of one host; where it does not answer, what it last said, and that it does not. */
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

/** Where this process is, or was: a program cannot be started in a directory that is no more, and is refused by name. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
