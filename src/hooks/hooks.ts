/**
 * Manages the hooks of one data directory: creates, lists and removes them, and runs them in one of the servers that
 * use the directory. Detects within a second that another process has created or removed a hook.
 */
import { isIP } from 'node:net';
import type { Principal } from '../access/principal.js';
import type { CreatedHook, HookRequest, ShownHook } from '../contract/hooks.js';
import type { TerminalManager } from '../contract/manager.js';
import type { EngineLog } from '../contract/options.js';
import { HookCommands } from './command.js';
import type { CommandOptions } from './command.js';
import { ONE_ATTEMPT, WEBHOOK_BACK_OFF } from './delivery-queue.js';
import type { BackOff, Deliver } from './delivery-queue.js';
import { HookFiles } from './hook-files.js';
import type { HookMaker, SavedHook } from './hook-files.js';
import { addHook, isActive, shownHooks } from './manage.js';
import type { HookRules } from './manage.js';
import { OutputNews } from './output-news.js';
import { Progress, Saves } from './progress.js';
import { QueueSpace } from './queue-space.js';
import { HookRunner } from './runner.js';
import { Slots } from './slots.js';
import { resolveBySystem, sendWebhook, WEBHOOK_TIMEOUT_MS } from './webhook.js';
import type { Resolve } from './webhook.js';

/**
 * Interval between checks for changes that other processes made, for the right to run the hooks, and for revoked keys.
 * A check costs one `stat`.
 */
const CHECK_MS = 500;
/** Maximum number of concurrent webhook requests per hook. */
const MAX_REQUESTS = 8;

export interface HooksOptions extends CommandOptions, HookRules {
  readonly dataDir: string;
  readonly manager: TerminalManager;
  /** Returns whether this process is the one that runs the hooks. Called repeatedly. */
  readonly claim: () => boolean;
  /** Returns whether the key of a principal is still valid. */
  readonly isAccepted: (principalId: string) => boolean;
  readonly log: EngineLog;
  /** Maximum number of terminals whose output is awaited at the same time: the same as the limit for one caller. */
  readonly maxWaitingReads: number;
  readonly backOff?: BackOff;
  readonly webhookTimeoutMs?: number;
}

export class Hooks {
  readonly #files: HookFiles;
  readonly #options: HooksOptions;
  readonly #commands: HookCommands;
  readonly #lookups: NameLookups;
  readonly #news: OutputNews;
  readonly #saves = new Saves();
  readonly #space = new QueueSpace();
  readonly #runners = new Map<string, HookRunner>();
  #startedMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #changedMs: number | undefined;
  #hooks: readonly SavedHook[] = [];
  #problem = '';

  constructor(options: HooksOptions) {
    this.#files = new HookFiles(options.dataDir);
    this.#options = options;
    this.#commands = new HookCommands(options);
    this.#lookups = new NameLookups(options.resolve);
    this.#news = new OutputNews(options.manager, options.maxWaitingReads);
  }

  /** Starts running hooks: the existing ones, and those that are created later. */
  start(): void {
    this.#startedMs = Date.now();
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref();
    this.#check();
  }

  /** @throws See `addHook`. */
  async create(request: HookRequest, { id, name, kind, signIn }: Principal): Promise<CreatedHook> {
    // The maker is the account, because a hook outlasts the sign-in of whoever created it.
    const maker = { id: signIn?.as ?? id, name, isLocal: kind === 'local' };
    const created = await addHook(this.#files, request, maker, { ...this.#options, resolve: this.#lookups.of(maker) });
    if (this.#timer !== undefined) this.#check();
    return created;
  }

  /** Returns all hooks, oldest first. */
  list(): ShownHook[] {
    const stateOf = (id: string) => this.#runners.get(id)?.state ?? this.#files.savedState(id);
    return shownHooks(this.#files, this.#options.isAccepted, stateOf);
  }

  /** @throws `HOOK_NOT_FOUND` */
  remove(id: string): void {
    this.#files.remove(id);
    if (this.#timer !== undefined) this.#check();
  }

  /** Stops deliveries and saves what has not been delivered. Resolves when that is done. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#saves.finish();
    await Promise.all([...this.#runners.values()].map((runner) => runner.close()));
    this.#runners.clear();
  }

  /**
   * Starts and stops runners: if this process runs the hooks, exactly the active ones are then running, and otherwise
   * none.
   */
  #check(): void {
    try {
      this.#read();
      const isOurs = this.#hooks.length > 0 && this.#options.claim();
      const wanted = isOurs ? this.#hooks.filter((hook) => isActive(hook, this.#options.isAccepted)) : [];
      for (const id of this.#runners.keys()) if (!wanted.some((hook) => hook.id === id)) this.#stop(id);
      for (const hook of wanted) if (!this.#runners.has(hook.id)) this.#start(hook);
      this.#problem = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#problem) this.#options.log('error', `Hooks are not running: ${message}`, {});
      this.#problem = message;
    }
  }

  #read(): void {
    const { changedMs } = this.#files;
    if (changedMs === this.#changedMs) return;
    // A recent time is not stored, because another change within the clock's resolution would not change it.
    this.#changedMs = Date.now() - changedMs > CHECK_MS ? changedMs : undefined;
    this.#hooks = this.#files.list();
  }

  #start(hook: SavedHook): void {
    const onFailure = (error: unknown) =>
      this.#options.log('error', `The state of a hook cannot be saved: ${(error as Error).message}`, { hook: hook.id });
    const progress = new Progress(this.#files.statePath(hook.id), onFailure, this.#saves);
    const backOff = hook.secret === null ? ONE_ATTEMPT : (this.#options.backOff ?? WEBHOOK_BACK_OFF);
    const deliver = this.#deliveryOf(hook);
    const [{ manager }, startedMs] = [this.#options, this.#startedMs];
    const [news, space] = [this.#news, this.#space];
    const runner = new HookRunner({ hook, manager, progress, deliver, backOff, news, space, startedMs });
    this.#runners.set(hook.id, runner);
    runner.start();
  }

  /**
   * Stops a runner. It counts as running until its state has been saved, so that no other runner starts with an older
   * state.
   */
  #stop(id: string): void {
    const runner = this.#runners.get(id)!;
    void runner.close().then(() => {
      this.#runners.delete(id);
      if (!this.#hooks.some((hook) => hook.id === id)) this.#files.removeState(id);
    });
  }

  #deliveryOf({ request: { url, exec }, secret, maker }: SavedHook): Deliver {
    const { webhookTimeoutMs = WEBHOOK_TIMEOUT_MS } = this.#options;
    const resolve = this.#lookups.of(maker);
    if (exec !== undefined) return (event, signal) => this.#commands.run(exec, JSON.stringify(event), signal);
    const webhook = { url: url!, secret: secret!, mayBePrivate: maker.isLocal, resolve };
    const slots = new Slots(MAX_REQUESTS);
    return async (event, signal) => {
      const release = await slots.take(signal);
      await sendWebhook(webhook, event.id, JSON.stringify(event), signal, webhookTimeoutMs).finally(release);
    };
  }
}

/**
 * Resolves the host names of webhooks. A look-up cannot be cancelled, and occupies one of the few threads of this
 * process, so look-ups for the hooks of one key take turns. A name server that does not respond therefore delays only
 * those hooks.
 */
class NameLookups {
  readonly #resolve: Resolve;
  /** Slots by key. */
  readonly #slots = new Map<string, Slots>();

  constructor(resolve: Resolve = resolveBySystem) {
    this.#resolve = resolve;
  }

  /** Returns the resolver for the hooks of one maker. Look-ups for the server's own user are not limited. */
  of({ id, isLocal }: HookMaker): Resolve {
    if (isLocal) return this.#resolve;
    const slots = this.#slots.get(id) ?? new Slots(1);
    this.#slots.set(id, slots);
    return (host, signal) => (isIP(host) === 0 ? this.#inTurn(slots, host, signal) : this.#resolve(host, signal));
  }

  async #inTurn(slots: Slots, host: string, signal: AbortSignal): ReturnType<Resolve> {
    const release = await slots.take(signal);
    return this.#resolve(host, signal).finally(release);
  }
}
