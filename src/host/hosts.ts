/**
 * Manages all hosts of one user and data directory: finds them, finds the host that holds a terminal, and chooses a
 * host for a new terminal.
 */
import { setMaxListeners } from 'node:events';
import { currentOf, isName } from '../contract/name.js';
import type { ListTerminals, TerminalDetail, TerminalSummary } from '../contract/terminal.js';
import { createsNoTerminals, limitReached, TerminalError } from '../errors.js';
import { checkNameFree } from '../terminal/identity.js';
import { notFound } from '../terminal/not-found.js';
import type { LinkOptions } from './host-link.js';
import { HostLink } from './host-link.js';
import { ownedSlots, ownerOf, prepareLockDirectory } from './ownership.js';
import type { HostLoad, HostRequest } from './protocol.js';
import type { HostDirectories } from './runtime-directory.js';
import { knownSlots, reachableSlots } from './slots.js';
import { watchDirectory } from './watch/watch-directory.js';
import { Turns } from '../turns.js';

export interface HostsOptions extends HostDirectories {
  /** Maximum number of running terminals across all hosts. */
  readonly maxTerminals: number;
  linkOptions(slot: number): LinkOptions;
}

/** The status of a host; `problem` is set if it is not responding. */
export interface HostStatus {
  readonly slot: number;
  readonly pid: number | null;
  readonly version: string | null;
  readonly load: HostLoad | null;
  readonly problem: string | null;
}

/** Current figures of one host, for monitoring. */
export interface HostFigures {
  readonly slot: number;
  /** Null if the host did not respond. */
  readonly load: HostLoad | null;
  /** Time until the host responded, which includes the delay of its event loop. */
  readonly responseMs: number;
}

/** Limits of a host: if one is reached, the next host is tried. */
const FULL = ['TENACITTY_MAX_TERMINALS', 'HOST_MEMORY'];
/**
 * Maximum number of hosts lost in succession while handling the same request. Beyond it, the request itself is assumed
 * to crash them.
 */
const MAX_LOSSES = 2;
/** Errors of a host that cannot be reached. The other hosts continue. */
const OUT_OF_REACH = ['HOST_UNRESPONSIVE', 'HOST_LOST', 'HOST_FAILED', 'SHUTTING_DOWN'];

export class Hosts {
  readonly #options: HostsOptions;
  readonly #links = new Map<number, HostLink>();
  readonly #placements = new Turns();
  readonly #closed = new AbortController();

  constructor(options: HostsOptions) {
    this.#options = options;
    // Each watch adds a listener.
    setMaxListeners(0, this.#closed.signal);
  }

  /** Aborts when the hosts are no longer used. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Calls back when a host may have been started, until the returned function is called. */
  onChange(callback: () => void): () => void {
    return watchDirectory(() => prepareLockDirectory(this.#options), callback);
  }

  isRunning(slot: number): boolean {
    return ownerOf(this.#options, slot) !== null;
  }

  /** Returns the hosts that are running or have terminals on disk, in order. */
  known(): HostLink[] {
    return knownSlots(this.#options).map((slot) => this.#link(slot));
  }

  /** Returns the running hosts, in order. */
  live(): HostLink[] {
    return ownedSlots(this.#options).map((slot) => this.#link(slot));
  }

  /**
   * Returns the running hosts, including those whose locks were just removed by a cleanup job, and possibly some that
   * have exited. In order.
   */
  reachable(): HostLink[] {
    return reachableSlots(this.#options).map((slot) => this.#link(slot));
  }

  /** Returns the hosts used so far, without searching for others. */
  used(): HostLink[] {
    return [...this.#links.values()];
  }

  /** Resolves to the status of each running host, including those that do not respond. */
  statuses(): Promise<HostStatus[]> {
    return Promise.all(this.live().map((link) => statusOf(link, ownerOf(this.#options, link.slot)?.pid ?? null)));
  }

  /** Returns the current figures of the running hosts. Starts no host. */
  figures(): Promise<HostFigures[]> {
    return Promise.all(
      this.live().map(async (link) => {
        const start = performance.now();
        const load = await loadOf(link);
        return { slot: link.slot, load, responseMs: performance.now() - start };
      }),
    );
  }

  /** Returns the terminals of one host or, if the host is not responding, the terminals that it last reported. */
  async terminalsOf(link: HostLink): Promise<TerminalSummary[]> {
    try {
      const terminals = (await retryIfLost(() =>
        link.request({ method: 'list', argument: undefined }),
      )) as TerminalSummary[];
      link.terminals = new Map(terminals.map((terminal) => [terminal.id, terminal]));
    } catch (error) {
      if (!isUnresponsive(error)) throw error;
    }
    return [...link.terminals.values()];
  }

  /** Returns the terminals of one host that have the given name or labels. @throws `HOST_UNRESPONSIVE` */
  async listMatching(link: HostLink, argument: ListTerminals): Promise<TerminalSummary[]> {
    return (await retryIfLost(() => link.request({ method: 'list', argument }))) as TerminalSummary[];
  }

  /**
   * Returns the host that holds a terminal.
   *
   * @throws `TERMINAL_NOT_FOUND` if no host does; `HOST_UNRESPONSIVE` if that cannot be determined.
   */
  async holderOf(id: string): Promise<HostLink> {
    const remembered = this.used().find((link) => link.terminals.has(id));
    if (remembered !== undefined) return remembered;
    const links = this.known();
    const results = await Promise.allSettled(links.map((link) => this.terminalsOf(link)));
    const holder = links.find((link) => link.terminals.has(id));
    if (holder !== undefined) return holder;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const hung = links.find((link) => link.problem !== null);
    if (hung !== undefined) {
      const message = `Cannot determine whether terminal ${id} exists: ${hung.problem}`;
      throw new TerminalError('HOST_UNRESPONSIVE', message, { terminalId: id, slot: hung.slot });
    }
    throw notFound(
      id,
      links.some((link) => hasNamed(link, id)),
    );
  }

  /**
   * Resolves a name to an id. Returns a value unchanged if it is an id or is unknown.
   *
   * @throws the error of a host that could not be asked, such as `HOST_UNRESPONSIVE`.
   */
  async idOf(idOrName: string): Promise<string> {
    const isId = !isName(idOrName) || this.used().some((link) => link.terminals.has(idOrName));
    return isId ? idOrName : (currentOf(await this.#allNamed(idOrName, this.known()))?.id ?? idOrName);
  }

  /**
   * Creates a terminal in a host that has room. Creations are serialised to enforce the limit across all hosts and to
   * keep names unique.
   */
  create(request: HostRequest, name: string | undefined): Promise<TerminalDetail> {
    return this.#placements.take(async () => {
      if (name !== undefined) await this.#checkNameFree(name, request.key);
      return this.#placeTerminal(request);
    });
  }

  /** Gives a terminal a name. Serialised with `create`. @throws `NAME_TAKEN` if another running terminal has it. */
  rename(id: string, name: string, rename: () => Promise<TerminalDetail>): Promise<TerminalDetail> {
    return this.#placements.take(async () => {
      await this.#checkNameFree(name, id);
      return rename();
    });
  }

  /** Each host checks only its own terminals; this method checks all hosts. */
  async #checkNameFree(name: string, id: string | undefined): Promise<void> {
    checkNameFree(name, await this.#allNamed(name, this.live()), id);
  }

  /** @throws The error of a host that could not be asked, unless a running terminal with the name was found anyway. */
  async #allNamed(name: string, links: readonly HostLink[]): Promise<TerminalSummary[]> {
    const results = await Promise.allSettled(links.map((link) => this.listMatching(link, { name })));
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined && !found.some(({ status }) => status === 'active')) throw failed.reason;
    return found;
  }

  close(): void {
    this.#closed.abort();
    for (const link of this.#links.values()) link.close();
  }

  async #placeTerminal(request: HostRequest): Promise<TerminalDetail> {
    const live = this.live();
    const loads = new Map(await Promise.all(live.map(async (link) => [link.slot, await loadOf(link)] as const)));
    this.#checkRoom(live);
    for (let slot = 0; !this.closed.aborted; slot++) {
      const load = loads.get(slot);
      // The host is running, but is full or not responding.
      if (load === null || load?.hasRoom === false) continue;
      const created = await this.#createIn(this.#link(slot), request);
      if (created !== null) return created;
    }
    throw createsNoTerminals();
  }

  /** Creates a terminal in a host. Resolves to null if the host has no room after all. */
  async #createIn(link: HostLink, request: HostRequest): Promise<TerminalDetail | null> {
    try {
      const created = (await link.request(request)) as TerminalDetail;
      link.terminals.set(created.id, summaryOf(created));
      return created;
    } catch (error) {
      const isFull = isError(error, ['LIMIT_REACHED']) && FULL.includes(String(error.details['limit']));
      if (isFull || isError(error, ['SHUTTING_DOWN'])) return null;
      throw error;
    }
  }

  #checkRoom(live: readonly HostLink[]): void {
    const { maxTerminals } = this.#options;
    const active = live.reduce((sum, link) => sum + (link.lastLoad?.active ?? 0), 0);
    if (active < maxTerminals) return;
    throw limitReached('TENACITTY_MAX_TERMINALS', maxTerminals, 'Too many terminals are running; end one first');
  }

  #link(slot: number): HostLink {
    const link = this.#links.get(slot) ?? new HostLink(this.#options.linkOptions(slot));
    this.#links.set(slot, link);
    return link;
  }
}

/** Resolves to a host's load; null if the host is unreachable and therefore takes no more terminals for now. */
async function loadOf(link: HostLink): Promise<HostLoad | null> {
  try {
    link.lastLoad = (await link.request({ method: 'load', argument: undefined })) as HostLoad;
    return link.lastLoad;
  } catch (error) {
    if (isError(error, OUT_OF_REACH)) return null;
    throw error;
  }
}

async function statusOf(link: HostLink, owner: number | null): Promise<HostStatus> {
  try {
    const { pid, version, load } = await retryIfLost(() => link.hello());
    return { slot: link.slot, pid, version, load, problem: null };
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    return { slot: link.slot, pid: owner, version: null, load: null, problem: error.message };
  }
}

function summaryOf(detail: TerminalDetail): TerminalSummary {
  const { id, pid, shell, cwd, created, lastActivity, status, startCwd } = detail;
  const { exitCode, signal, endedBy, name, labels, lastCommand, createdBy } = detail;
  const first = { id, pid, shell, cwd, created, lastActivity, status, startCwd };
  return { ...first, exitCode, signal, endedBy, name, labels, lastCommand, createdBy };
}

function hasNamed({ terminals }: HostLink, name: string): boolean {
  return [...terminals.values()].some((terminal) => terminal.name === name);
}

/**
 * Retries a request that changes nothing if its host was lost or has handed over its terminals. The number of retries
 * is limited.
 */
export async function retryIfLost<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let losses = 0; ;) {
    try {
      return await ask();
    } catch (error) {
      if (!isError(error, ['HOST_LOST']) || ++losses > MAX_LOSSES) throw error;
    }
  }
}

/** Repeats a wait for the remaining time if the host is lost. */
export async function waitAcrossHostLoss(
  timeoutMs: number,
  ask: (leftMs: number, isAgain: boolean) => Promise<unknown>,
): Promise<unknown> {
  const deadline = performance.now() + timeoutMs;
  for (let leftMs = timeoutMs, isAgain = false, losses = 0; ; isAgain = true) {
    try {
      return await ask(leftMs, isAgain);
    } catch (error) {
      leftMs = Math.max(0, Math.ceil(deadline - performance.now()));
      const isTooOften = leftMs === 0 && ++losses > MAX_LOSSES;
      if (!isError(error, ['HOST_LOST']) || isTooOften) throw error;
    }
  }
}

export function isError(error: unknown, codes: readonly string[]): error is TerminalError {
  return error instanceof TerminalError && codes.includes(error.code);
}

/** Returns whether a later attempt may succeed, because the host hangs or was lost. */
export function isTransient(error: unknown): boolean {
  return isError(error, ['HOST_UNRESPONSIVE', 'HOST_LOST']);
}

export function isUnresponsive(error: unknown): boolean {
  return isError(error, ['HOST_UNRESPONSIVE']);
}
