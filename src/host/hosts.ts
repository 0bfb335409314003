/**
 * All hosts of one user and data directory: which there are, which one holds a terminal, and which one is to take the
 * next. It knows nothing of what is asked of a terminal.
 */
import { currentOf, isName } from '../contract/name.js';
import type { ListTerminals, TerminalDetail, TerminalSummary } from '../contract/terminal.js';
import { limitReached, TerminalError } from '../errors.js';
import { checkNameFree } from '../terminal/identity.js';
import { notFound } from '../terminal/not-found.js';
import type { LinkOptions } from './host-link.js';
import { HostLink } from './host-link.js';
import { ownedSlots, ownerOf } from './ownership.js';
import type { HostLoad, HostRequest } from './protocol.js';
import type { HostPlaces } from './runtime-directory.js';
import { knownSlots, reachableSlots } from './slots.js';

export interface HostsOptions extends HostPlaces {
  /** Most running terminals over all hosts. */
  readonly maxTerminals: number;
  linkOptions(slot: number): LinkOptions;
}

/** What a host says of itself; `problem` where it says nothing. */
export interface HostStatus {
  readonly slot: number;
  readonly pid: number | null;
  readonly version: string | null;
  readonly load: HostLoad | null;
  readonly problem: string | null;
}

/** What makes a terminal go to the next host. */
const FULL = ['TENACITTY_MAX_TERMINALS', 'HOST_MEMORY'];
/** Hosts lost one after the other while the same was asked: more, and it is what is asked that ends them. */
export const MAX_LOSSES = 2;
/** Of a host that does not answer: the others go on. */
const OUT_OF_REACH = ['HOST_UNRESPONSIVE', 'HOST_LOST', 'HOST_FAILED', 'SHUTTING_DOWN'];

export class Hosts {
  readonly #options: HostsOptions;
  readonly #links = new Map<number, HostLink>();
  #placing: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: HostsOptions) {
    this.#options = options;
  }

  /** Hosts that run or have terminals on disk, in order. */
  known(): HostLink[] {
    return knownSlots(this.#options).map((slot) => this.#link(slot));
  }

  /** Hosts that run, in order. */
  live(): HostLink[] {
    return ownedSlots(this.#options).map((slot) => this.#link(slot));
  }

  /** Hosts that run, also where a tidy-up has just taken their locks away; and some that have ended. In order. */
  reachable(): HostLink[] {
    return reachableSlots(this.#options).map((slot) => this.#link(slot));
  }

  /** Hosts that were used; nothing is looked up. */
  used(): HostLink[] {
    return [...this.#links.values()];
  }

  /** How each host is that runs; one that does not answer is there too. */
  statuses(): Promise<HostStatus[]> {
    return Promise.all(this.live().map((link) => statusOf(link, ownerOf(this.#options, link.slot)?.pid ?? null)));
  }

  /** Terminals of one host. Where it does not answer, what it last said. */
  async terminalsOf(link: HostLink): Promise<TerminalSummary[]> {
    try {
      const terminals = (await againIfLost(() =>
        link.request({ method: 'list', argument: undefined }),
      )) as TerminalSummary[];
      link.terminals = new Map(terminals.map((terminal) => [terminal.id, terminal]));
    } catch (error) {
      if (!isUnresponsive(error)) throw error;
    }
    return [...link.terminals.values()];
  }

  /** Those of one host that have the name or labels asked for. @throws `HOST_UNRESPONSIVE` */
  async fittingOf(link: HostLink, argument: ListTerminals): Promise<TerminalSummary[]> {
    return (await againIfLost(() => link.request({ method: 'list', argument }))) as TerminalSummary[];
  }

  /**
   * The host that holds a terminal.
   *
   * @throws `TERMINAL_NOT_FOUND` if none does; `HOST_UNRESPONSIVE` if that cannot be told.
   */
  async holderOf(id: string): Promise<HostLink> {
    const remembered = this.used().find((link) => link.terminals.has(id));
    if (remembered !== undefined) return remembered;
    const links = this.known();
    const asked = await Promise.allSettled(links.map((link) => this.terminalsOf(link)));
    const holder = links.find((link) => link.terminals.has(id));
    if (holder !== undefined) return holder;
    const failed = asked.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const hung = links.find((link) => link.problem !== null);
    if (hung !== undefined) {
      const message = `It cannot be told whether there is a terminal ${id}: ${hung.problem}`;
      throw new TerminalError('HOST_UNRESPONSIVE', message, { terminalId: id, slot: hung.slot });
    }
    throw notFound(
      id,
      links.some((link) => hasNamed(link, id)),
    );
  }

  /** What is given back as it is, is an id or nothing. @throws `HOST_UNRESPONSIVE` and the like if that cannot be told. */
  async idOf(idOrName: string): Promise<string> {
    const isId = !isName(idOrName) || this.used().some((link) => link.terminals.has(idOrName));
    return isId ? idOrName : (currentOf(await this.#allNamed(idOrName, this.known()))?.id ?? idOrName);
  }

  /**
   * Creates a terminal where there is room. One after the other, so that the limit over all of them holds, and that of
   * one name there is one.
   */
  create(request: HostRequest, name: string | undefined): Promise<TerminalDetail> {
    return this.#inTurn(async () => {
      if (name !== undefined) await this.#checkNameFree(name, request.key);
      return this.#place(request);
    });
  }

  /** Has a terminal take a name. One after the other, as `create`. @throws `NAME_TAKEN` if another that runs has it. */
  rename(id: string, name: string, rename: () => Promise<TerminalDetail>): Promise<TerminalDetail> {
    return this.#inTurn(async () => {
      await this.#checkNameFree(name, id);
      return rename();
    });
  }

  #inTurn(place: () => Promise<TerminalDetail>): Promise<TerminalDetail> {
    const placed = this.#placing.then(place);
    this.#placing = placed.catch(() => undefined);
    return placed;
  }

  /** Each host looks after its own; this one looks at all. */
  async #checkNameFree(name: string, id: string | undefined): Promise<void> {
    checkNameFree(name, await this.#allNamed(name, this.live()), id);
  }

  /** @throws What a host that could not be asked has met, unless one that runs was found all the same. */
  async #allNamed(name: string, links: readonly HostLink[]): Promise<TerminalSummary[]> {
    const asked = await Promise.allSettled(links.map((link) => this.fittingOf(link, { name })));
    const found = asked.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failed = asked.find((result) => result.status === 'rejected');
    if (failed !== undefined && !found.some(({ status }) => status === 'active')) throw failed.reason;
    return found;
  }

  close(): void {
    this.#isClosed = true;
    for (const link of this.#links.values()) link.close();
  }

  async #place(request: HostRequest): Promise<TerminalDetail> {
    const live = this.live();
    const loads = new Map(await Promise.all(live.map(async (link) => [link.slot, await loadOf(link)] as const)));
    this.#checkRoom(live);
    for (let slot = 0; !this.#isClosed; slot++) {
      const load = loads.get(slot);
      // It runs, and is full or does not answer.
      if (load === null || load?.hasRoom === false) continue;
      const created = await this.#createIn(this.#link(slot), request);
      if (created !== null) return created;
    }
    throw new TerminalError('SHUTTING_DOWN', 'The server is stopping and takes no new terminals');
  }

  /** Null if there is no room after all. */
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

/** Null where the host is out of reach: it takes no more for now. */
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
    const { pid, version, load } = await againIfLost(() => link.hello());
    return { slot: link.slot, pid, version, load, problem: null };
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    return { slot: link.slot, pid: owner, version: null, load: null, problem: error.message };
  }
}

function summaryOf(detail: TerminalDetail): TerminalSummary {
  const { id, pid, shell, cwd, created, lastActivity, status, startCwd } = detail;
  const { exitCode, signal, endedBy, name, labels, lastCommand } = detail;
  const first = { id, pid, shell, cwd, created, lastActivity, status, startCwd };
  return { ...first, exitCode, signal, endedBy, name, labels, lastCommand };
}

function hasNamed({ terminals }: HostLink, name: string): boolean {
  return [...terminals.values()].some((terminal) => terminal.name === name);
}

/**
 * What asks and changes nothing is asked again of the host that comes after one that was lost, or has handed its
 * terminals over; not without end.
 */
export async function againIfLost<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let losses = 0; ;) {
    try {
      return await ask();
    } catch (error) {
      if (!isError(error, ['HOST_LOST']) || ++losses > MAX_LOSSES) throw error;
    }
  }
}

export function isError(error: unknown, codes: readonly string[]): error is TerminalError {
  return error instanceof TerminalError && codes.includes(error.code);
}

export function isUnresponsive(error: unknown): boolean {
  return isError(error, ['HOST_UNRESPONSIVE']);
}
