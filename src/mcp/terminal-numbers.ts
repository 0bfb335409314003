/**
 * Manages terminals that small numbers identify within a namespace. Creates them on first use and finds them again by
 * their labels, even if another process in the same namespace created them. Uses the manager interface and does not
 * depend on the actions.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { currentOf } from '../contract/name.js';
import type { TerminalManager } from '../contract/manager.js';
import type { CreateTerminal, TerminalDetail, TerminalSummary } from '../contract/terminal.js';
import { shared } from '../turns.js';
import { SharedOperation } from './shared-operation.js';

const NAMESPACE_LABEL = 'mcp.namespace';
const NUMBER_LABEL = 'mcp.number';
/** Available everywhere and supports shell integration. */
const INTEGRATED_SHELL = 'sh';
/** Minimum interval between two lists for callers that poll, so that one list serves all of them. */
const SHARED_LIST_MS = 100;

export interface OpenedTerminal {
  readonly id: string;
  /** Null if the terminal already existed. */
  readonly made: NewTerminal | null;
}

export interface NewTerminal {
  readonly shell: string;
  /** The ended terminal that previously had this number. */
  readonly ended: TerminalSummary | null;
  /** The configured shell, if another one was started because the configured one does not support shell integration. */
  readonly insteadOf: string | null;
}

export class TerminalNumbers {
  readonly #manager: TerminalManager;
  readonly #namespace: string;
  readonly #creation: () => CreateTerminal;
  readonly #opening = new Map<number, SharedOperation<OpenedTerminal>>();
  /** The ids of the terminals that were running when they were last looked up. */
  readonly #running = new Map<number, string>();
  readonly #listShared = shared(async () => {
    const terminals = await this.#list();
    await pause(SHARED_LIST_MS);
    return terminals;
  });

  /** @param creation - Returns the options of new terminals. */
  constructor(manager: TerminalManager, namespace: string, creation: () => CreateTerminal) {
    this.#manager = manager;
    this.#namespace = namespace;
    this.#creation = creation;
  }

  /**
   * Returns the terminal with this number: the running one or, if none is running, the one that ended most recently.
   */
  async find(number: number): Promise<TerminalSummary | undefined> {
    return currentOf(await this.#manager.list({ labels: this.#labels(number) }));
  }

  /** Does the same as `find`, for callers that poll. The list is read after the call, and callers share it. */
  async findShared(number: number): Promise<TerminalSummary | undefined> {
    return currentOf((await this.#listShared()).filter((terminal) => this.numberOf(terminal) === number));
  }

  /**
   * Returns the running terminal with this number, and creates it if there is none. Concurrent callers, even in
   * different processes, all receive the same terminal. A terminal that was opened earlier may have ended since; see
   * `forget`.
   *
   * @param manager - The caller's manager, which creates the terminal.
   * @param signal - Aborts when the caller has left. If all callers have left, the creation is cancelled.
   * @throws The same errors as `TerminalManager.create`.
   */
  async open(number: number, manager: TerminalManager, signal: AbortSignal): Promise<OpenedTerminal> {
    const running = this.#running.get(number);
    if (running !== undefined) return { id: running, made: null };
    const known = this.#opening.get(number);
    const opening =
      known?.isAbandoned === false ? known : new SharedOperation((left) => this.#open(number, manager, left));
    this.#opening.set(number, opening);
    try {
      const opened = await opening.join(signal);
      this.#running.set(number, opened.id);
      return opened;
    } finally {
      if (this.#opening.get(number) === opening) this.#opening.delete(number);
    }
  }

  /** Makes `open` look up or create the terminal again, because this one has ended. */
  forget(id: string): void {
    for (const [number, running] of this.#running) if (running === id) this.#running.delete(number);
  }

  /** Returns the number of a terminal, or null if it has none in this namespace. */
  numberOf({ labels }: Pick<TerminalSummary, 'labels'>): number | null {
    return labels[NAMESPACE_LABEL] === this.#namespace ? Number(labels[NUMBER_LABEL]) : null;
  }

  /** Returns the ids of all numbered terminals in this namespace, whoever created them. For callers that poll. */
  async idsShared(): Promise<string[]> {
    return (await this.#listShared()).map(({ id }) => id);
  }

  /** Returns the ids of the running terminals that have a number in this namespace. */
  async activeIds(): Promise<string[]> {
    return (await this.#list()).filter(({ status }) => status === 'active').map(({ id }) => id);
  }

  #list(): Promise<TerminalSummary[]> {
    return this.#manager.list({ labels: { [NAMESPACE_LABEL]: this.#namespace } });
  }

  /** Returns the current terminal of each number in this namespace, even if it has ended. */
  async all(): Promise<ReadonlyMap<number, TerminalDetail>> {
    const summaries = await this.#list();
    const known = await detailsOf(this.#manager, summaries);
    const numbers = [...new Set(known.map((detail) => this.numberOf(detail)!))].sort((a, b) => a - b);
    return new Map(numbers.map((number) => [number, currentOf(known.filter((one) => this.numberOf(one) === number))!]));
  }

  async #open(number: number, manager: TerminalManager, signal: AbortSignal): Promise<OpenedTerminal> {
    const found = await this.find(number);
    if (found?.status === 'active') return { id: found.id, made: null };
    const { terminal: made, insteadOf } = await this.#make(number, manager, signal);
    const oldest = (await this.find(number)) ?? made;
    const isOvertaken = oldest.status === 'active' && oldest.id !== made.id;
    if (!isOvertaken) return { id: made.id, made: { shell: made.shell, ended: found ?? null, insteadOf } };
    // Another process was faster, and both must use the same terminal.
    await manager.remove(made.id, { graceMs: 0 });
    return { id: oldest.id, made: null };
  }

  /** Creates a terminal with the configured shell or, if no commands can be run in that, with another one. */
  async #make(
    number: number,
    manager: TerminalManager,
    signal: AbortSignal,
  ): Promise<{ terminal: TerminalSummary; insteadOf: string | null }> {
    const creation = { ...this.#creation(), labels: this.#labels(number) };
    const terminal = await manager.create(creation, { signal });
    if (terminal.integrated || creation.shell !== undefined) return { terminal, insteadOf: null };
    const other = await manager.create({ ...creation, shell: INTEGRATED_SHELL }, { signal }).catch(async (error) => {
      // Otherwise, the number would refer to a terminal that cannot run commands.
      await manager.remove(terminal.id, { graceMs: 0 }).catch(() => {});
      throw error;
    });
    // If the settings disable shell integration, the configured shell is just as good.
    const unwanted = other.integrated ? terminal : other;
    await manager.remove(unwanted.id, { graceMs: 0 });
    return other.integrated ? { terminal: other, insteadOf: terminal.shell } : { terminal, insteadOf: null };
  }

  #labels(number: number): Record<string, string> {
    return { [NAMESPACE_LABEL]: this.#namespace, [NUMBER_LABEL]: String(number) };
  }
}

/** Returns the details of terminals, except those that have been removed in the meantime. */
export async function detailsOf(
  manager: TerminalManager,
  terminals: readonly Pick<TerminalSummary, 'id'>[],
): Promise<TerminalDetail[]> {
  const details = await Promise.all(terminals.map(({ id }) => manager.get(id).catch(() => undefined)));
  return details.filter((detail) => detail !== undefined);
}
