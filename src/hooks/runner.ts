/**
 * Runs one hook: follows what happens in terminals, selects what the hook reports, and adds it to the hook's queue.
 * Continues where an earlier process stopped.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HOOK_TAIL_LINES } from '../contract/hooks.js';
import type { HookState } from '../contract/hooks.js';
import type { TerminalManager, Watch } from '../contract/manager.js';
import type { TerminalSummary } from '../contract/terminal.js';
import type { TerminalChange } from '../contract/watch.js';
import { TerminalError } from '../errors.js';
import { DeliveryQueue } from './delivery-queue.js';
import type { BackOff, Deliver } from './delivery-queue.js';
import type { SavedHook } from './hook-files.js';
import { missedOccurrences } from './missed.js';
import { eventOf, isReported, isSelected, occurrenceIn } from './occurrence.js';
import type { Occurrence } from './occurrence.js';
import type { OutputNews } from './output-news.js';
import { OutputWatch } from './output-watch.js';
import { stateOf } from './progress.js';
import type { Progress } from './progress.js';
import type { QueueSpace } from './queue-space.js';

/** Pause after an error, such as a host that is not responding. */
const RETRY_MS = 1000;
/**
 * Maximum age of an event compared with the newest one seen: hosts report independently, so an older event can arrive
 * later.
 */
const MAX_LAG_MS = 60_000;
const MAX_TAIL_BYTES = 8 << 10;

export interface RunnerOptions {
  readonly hook: SavedHook;
  readonly manager: TerminalManager;
  readonly progress: Progress;
  readonly deliver: Deliver;
  readonly backOff: BackOff;
  /** Reports new output. Shared by all hooks. */
  readonly news: OutputNews;
  readonly space: QueueSpace;
  /** When this process started to run hooks. What happened before that is reported as late. */
  readonly startedMs: number;
}

export class HookRunner {
  readonly #hook: SavedHook;
  readonly #manager: TerminalManager;
  readonly #progress: Progress;
  readonly #queue: DeliveryQueue;
  readonly #output: OutputWatch;
  readonly #end = new AbortController();
  readonly #startedMs: number;
  readonly #terminals = new Map<string, TerminalSummary>();
  #watch: Watch | undefined;
  #running: Promise<void> | undefined;

  constructor({ hook, manager, progress, deliver, backOff, news, space, startedMs }: RunnerOptions) {
    this.#startedMs = startedMs;
    this.#hook = hook;
    this.#manager = manager;
    this.#progress = progress;
    this.#queue = new DeliveryQueue(progress, deliver, backOff, space);
    const { offsets } = progress.record;
    const report = (occurrence: Occurrence, isLate: boolean) => this.#report(occurrence, isLate);
    const onError = (error: unknown) => this.#noteError(error);
    this.#output = new OutputWatch({ news, request: hook.request, offsets, report, onError });
  }

  get state(): HookState {
    return stateOf(this.#progress.record);
  }

  start(): void {
    this.#queue.start();
    this.#running = this.#run();
  }

  /** Ends attempts in progress, and saves what has not been delivered. */
  async close(): Promise<void> {
    this.#end.abort();
    this.#watch?.close();
    this.#output.close();
    await Promise.all([this.#queue.close(), this.#running]);
    await this.#progress.save();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#follow().catch((error: unknown) => this.#noteError(error));
      await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #follow(): Promise<void> {
    const { cursor: after } = this.#progress.record;
    const { ids, labels } = this.#hook.request.filter;
    this.#watch = await this.#open({ ids, labels, ...(after !== null && { after }) });
    if (this.#end.signal.aborted) return this.#watch.close();
    for (const terminal of await this.#manager.list()) this.#see(terminal, true);
    this.#forgetOffsets();
    if (after === null) await this.#catchUp();
    this.#moveTo(after ?? this.#watch.cursor);
    for await (const { cursor, event } of this.#watch) {
      if (event.type === 'reset') await this.#catchUp();
      else await this.#take(event);
      this.#moveTo(cursor);
    }
  }

  /**
   * Records the position. Does nothing if the runner is closed, because the last event may then not have been added to
   * the queue.
   */
  #moveTo(cursor: string): void {
    if (this.#end.signal.aborted) return;
    this.#progress.record.cursor = cursor;
    this.#progress.changed();
  }

  /**
   * Opens a watch. If the cursor is invalid, for example because another version created it, discards it for the next
   * attempt.
   */
  async #open(request: Parameters<TerminalManager['watch']>[0]): Promise<Watch> {
    try {
      return await this.#manager.watch(request);
    } catch (error) {
      if (error instanceof TerminalError && error.code === 'INVALID_INPUT') this.#progress.record.cursor = null;
      throw error;
    }
  }

  async #take(change: TerminalChange): Promise<void> {
    if (change.type === 'created' || change.type === 'changed') this.#see(change.terminal, false);
    const occurrence = occurrenceIn(change);
    const atMs = Date.parse(change.at);
    if (occurrence !== null) await this.#report(occurrence, atMs < this.#startedMs);
    if (change.type === 'removed') this.#forget(change.terminalId);
    this.#progress.record.seenMs = Math.max(this.#progress.record.seenMs, atMs);
  }

  async #catchUp(): Promise<void> {
    const { request, created } = this.#hook;
    const terminals = await this.#manager.list();
    const selected = terminals.filter((terminal) => isSelected(request, terminal.id, terminal));
    const sinceMs = Math.max(Date.parse(created), this.#progress.record.seenMs - MAX_LAG_MS);
    const missed = await missedOccurrences(this.#manager, request, selected, this.#terminals, sinceMs);
    for (const terminal of terminals) this.#see(terminal, true);
    for (const each of missed) await this.#report(each, Date.parse(each.at) < this.#startedMs);
  }

  #see(terminal: TerminalSummary, isPresent: boolean): void {
    const { id, status, created } = terminal;
    const { request, created: hookCreated } = this.#hook;
    this.#terminals.set(id, terminal);
    if (!isSelected(request, id, terminal)) return this.#output.end(id);
    const isNew = created >= hookCreated;
    const isKnown = this.#progress.record.offsets[id] !== undefined;
    if (status !== 'active' && !isNew && !isKnown) return;
    this.#output.begin(id, { from: isNew ? 0 : undefined, isLate: isPresent });
  }

  #forget(id: string): void {
    this.#output.end(id);
    this.#terminals.delete(id);
    delete this.#progress.record.offsets[id];
  }

  /** Discards the offsets of terminals that no longer exist, because they were removed while no server was running. */
  #forgetOffsets(): void {
    const { offsets } = this.#progress.record;
    for (const id of Object.keys(offsets)) if (!this.#terminals.has(id)) delete offsets[id];
  }

  /** Adds an event to the queue if the hook reports it and has not reported it before. */
  async #report(occurrence: Occurrence, isLate: boolean): Promise<void> {
    const { id, request, created } = this.#hook;
    const { terminalId, at } = occurrence;
    const terminal = this.#terminals.get(terminalId);
    const isMine = isReported(request, occurrence) && isSelected(request, terminalId, terminal) && at >= created;
    if (!isMine) return;
    const tail = request.include === 'tail' ? await this.#tailOf(occurrence) : undefined;
    if (this.#end.signal.aborted) return;
    this.#queue.add(terminalId, eventOf(id, occurrence, terminal, isLate, tail));
  }

  /**
   * Resolves to the last lines of output; null if they cannot be read, for example because the terminal has been
   * removed.
   */
  async #tailOf({ terminalId, command }: Occurrence): Promise<string | null> {
    const part = { mode: 'tail', tailLines: HOOK_TAIL_LINES, maxBytes: MAX_TAIL_BYTES } as const;
    const page = command
      ? this.#manager.readCommand(terminalId, command.commandId, part)
      : this.#manager.read(terminalId, part);
    return page.then(({ output }) => output).catch(() => null);
  }

  #noteError(error: unknown): void {
    if (!this.#end.signal.aborted) this.#progress.noteError((error as Error).message);
  }
}
