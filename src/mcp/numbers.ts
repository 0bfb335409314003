/**
 * Terminals by small numbers, within a namespace: made when they are first used, and found again by their labels, also
 * by another process that works in the same namespace. It knows the manager by its interface, and no action.
 */
import { currentOf } from '../contract/name.js';
import type { TerminalManager } from '../contract/manager.js';
import type { CreateTerminal, TerminalDetail, TerminalSummary } from '../contract/terminal.js';
import { Shared } from './shared.js';

const NAMESPACE_LABEL = 'mcp.namespace';
const NUMBER_LABEL = 'mcp.number';
/** Is everywhere, and can be followed. */
const FOLLOWED_SHELL = 'sh';

export interface Opened {
  readonly id: string;
  /** Null if the terminal was there. */
  readonly made: Made | null;
}

export interface Made {
  readonly shell: string;
  /** The terminal that had this number before and has ended. */
  readonly ended: TerminalSummary | null;
  /** The shell of the settings, if this one was started because shell integration does not support that one. */
  readonly insteadOf: string | null;
}

export class Numbers {
  readonly #manager: TerminalManager;
  readonly #namespace: string;
  readonly #creation: () => CreateTerminal;
  readonly #opening = new Map<number, Shared<Opened>>();
  /** The terminals that were running when they were last looked up. */
  readonly #running = new Map<number, string>();

  /** @param creation - What new terminals are to be like. */
  constructor(manager: TerminalManager, namespace: string, creation: () => CreateTerminal) {
    this.#manager = manager;
    this.#namespace = namespace;
    this.#creation = creation;
  }

  /** The terminal with this number: the one that runs, else the one that has ended last. */
  async find(number: number): Promise<TerminalSummary | undefined> {
    return currentOf(await this.#manager.list({ labels: this.#labels(number) }));
  }

  /**
   * The terminal with this number, made if there is none that runs. Of several who ask at once, in whatever processes,
   * all get the same. One that was opened before may have ended since: see `forget`.
   *
   * @param signal - Aborted when the caller has left: what all have left is not made any more.
   * @throws As `TerminalManager.create`.
   */
  async open(number: number, signal: AbortSignal): Promise<Opened> {
    const running = this.#running.get(number);
    if (running !== undefined) return { id: running, made: null };
    const known = this.#opening.get(number);
    const opening = known?.isLeft === false ? known : new Shared((left) => this.#open(number, left));
    this.#opening.set(number, opening);
    try {
      const opened = await opening.join(signal);
      this.#running.set(number, opened.id);
      return opened;
    } finally {
      if (this.#opening.get(number) === opening) this.#opening.delete(number);
    }
  }

  /** Has `open` look for the terminal again, or make one: this one has ended. */
  forget(id: string): void {
    for (const [number, running] of this.#running) if (running === id) this.#running.delete(number);
  }

  /** The number of a terminal, if it has one here. */
  numberOf({ labels }: TerminalDetail): number | null {
    return labels[NAMESPACE_LABEL] === this.#namespace ? Number(labels[NUMBER_LABEL]) : null;
  }

  /** Of all terminals with a number here, by whoever made. */
  async ids(): Promise<string[]> {
    return (await this.#list()).map(({ id }) => id);
  }

  /** Of those that run. */
  async activeIds(): Promise<string[]> {
    return (await this.#list()).filter(({ status }) => status === 'active').map(({ id }) => id);
  }

  #list(): Promise<TerminalSummary[]> {
    return this.#manager.list({ labels: { [NAMESPACE_LABEL]: this.#namespace } });
  }

  /** All terminals with a number here, ended ones too; of each number the current one. */
  async all(): Promise<ReadonlyMap<number, TerminalDetail>> {
    const summaries = await this.#list();
    const known = await detailsOf(this.#manager, summaries);
    const numbers = [...new Set(known.map((detail) => this.numberOf(detail)!))].sort((a, b) => a - b);
    return new Map(numbers.map((number) => [number, currentOf(known.filter((one) => this.numberOf(one) === number))!]));
  }

  async #open(number: number, signal: AbortSignal): Promise<Opened> {
    const found = await this.find(number);
    if (found?.status === 'active') return { id: found.id, made: null };
    const { terminal: made, insteadOf } = await this.#make(number, signal);
    const oldest = (await this.find(number)) ?? made;
    const isOvertaken = oldest.status === 'active' && oldest.id !== made.id;
    if (!isOvertaken) return { id: made.id, made: { shell: made.shell, ended: found ?? null, insteadOf } };
    // Another process was quicker; both are to work in the same.
    await this.#manager.remove(made.id, { graceMs: 0 });
    return { id: oldest.id, made: null };
  }

  /** With the shell of the settings, unless nothing could be run in it. */
  async #make(number: number, signal: AbortSignal): Promise<{ terminal: TerminalSummary; insteadOf: string | null }> {
    const creation = { ...this.#creation(), labels: this.#labels(number) };
    const terminal = await this.#manager.create(creation, { signal });
    if (terminal.integrated || creation.shell !== undefined) return { terminal, insteadOf: null };
    const other = await this.#manager.create({ ...creation, shell: FOLLOWED_SHELL }, { signal });
    // Where none is followed, by the settings, the person's own is as good.
    const unwanted = other.integrated ? terminal : other;
    await this.#manager.remove(unwanted.id, { graceMs: 0 });
    return other.integrated ? { terminal: other, insteadOf: terminal.shell } : { terminal, insteadOf: null };
  }

  #labels(number: number): Record<string, string> {
    return { [NAMESPACE_LABEL]: this.#namespace, [NUMBER_LABEL]: String(number) };
  }
}

/** One that is removed meanwhile is none of them. */
export async function detailsOf(
  manager: TerminalManager,
  terminals: readonly Pick<TerminalSummary, 'id'>[],
): Promise<TerminalDetail[]> {
  const details = await Promise.all(terminals.map(({ id }) => manager.get(id).catch(() => undefined)));
  return details.filter((detail) => detail !== undefined);
}
