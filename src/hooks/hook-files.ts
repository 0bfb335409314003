/**
 * Stores hooks on disk. Each hook has two files (0600) in the data directory's `hooks` folder: one with its definition
 * and secret, and one with its state. Separate files let servers and commands create and remove hooks at the same time
 * without a lock. Delivers nothing.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createHook, hookId, MAX_HOOKS, MAX_HOOKS_PER_KEY } from '../contract/hooks.js';
import type { HookRequest, HookState } from '../contract/hooks.js';
import { dataDirectoryProblem, privacyProblem } from '../data-directory.js';
import { makeDirectory } from '../directory.js';
import { limitReached, TerminalError } from '../errors.js';
import { readRecord, writeRecord } from '../store/record-file.js';
import { Turns } from '../turns.js';
import { NEW_STATE, savedState } from './progress.js';

const ID_BYTES = 5;
/** Length of a secret: as many bits as the signature has. */
const SECRET_BYTES = 32;
const FILE = /^([0-9a-f]{10})\.json$/;

const savedHook = z.object({
  version: z.literal(1),
  id: hookId,
  created: z.iso.datetime(),
  maker: z.object({ id: z.string(), name: z.string(), isLocal: z.boolean() }),
  request: createHook,
  /** The secret that signs the requests; null for `exec`. */
  secret: z.string().nullable(),
});
export type SavedHook = z.infer<typeof savedHook>;
/** The caller that created a hook. `isLocal`: whether it is the server's own user. */
export type HookMaker = SavedHook['maker'];

export class HookFiles {
  readonly #directory: string;
  readonly #dataDir: string;
  /** Adds hooks one after another, so that each addition counts those before it. */
  readonly #additions = new Turns();
  /** The states that were read, by hook, and when each had been saved. */
  readonly #states = new Map<string, { readonly savedMs: number; readonly state: HookState }>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#directory = join(dataDir, 'hooks');
  }

  /** When a hook was last created or removed, in milliseconds since the epoch; 0 if never. */
  get changedMs(): number {
    return lstatSync(this.#directory, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  /** Returns all hooks, oldest first. @throws `INVALID_INPUT` if other users could have created some of them. */
  list(): SavedHook[] {
    if (this.changedMs === 0) return [];
    const hooks = this.#ids().flatMap((id) => readRecord(this.#pathOf(id), savedHook) ?? []);
    return hooks.sort((a, b) => (a.created < b.created ? -1 : 1));
  }

  /**
   * Adds a hook. @throws `LIMIT_REACHED` if there are too many hooks, in total or of this key; `INVALID_INPUT` if the
   * hook cannot be stored.
   */
  add(request: HookRequest, maker: HookMaker): Promise<SavedHook> {
    return this.#additions.take(() => this.#add(request, maker));
  }

  /**
   * Removes a hook and its state. A running server then delivers nothing more for it. @throws `HOOK_NOT_FOUND` if there
   * is no hook with this id.
   */
  remove(id: string): void {
    if (!this.list().some((hook) => hook.id === id))
      throw new TerminalError('HOOK_NOT_FOUND', `There is no hook ${id}.`, { hookId: id });
    rmSync(this.#pathOf(id), { force: true });
    this.removeState(id);
  }

  removeState(id: string): void {
    this.#states.delete(id);
    rmSync(this.statePath(id), { force: true });
  }

  /**
   * Returns the saved state of a hook, regardless of which process runs the hook. Reads the file only if the state has
   * been saved again.
   */
  savedState(id: string): HookState {
    const savedMs = statSync(this.statePath(id), { throwIfNoEntry: false })?.mtimeMs;
    if (savedMs === undefined) return NEW_STATE;
    const known = this.#states.get(id);
    if (known?.savedMs === savedMs) return known.state;
    const state = savedState(this.statePath(id));
    this.#states.set(id, { savedMs, state });
    return state;
  }

  statePath(id: string): string {
    return join(this.#directory, 'state', `${id}.json`);
  }

  async #add(request: HookRequest, maker: HookMaker): Promise<SavedHook> {
    makeDirectory(join(this.#directory, 'state'));
    this.#checkRoom(maker);
    const { secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, ...rest } = request;
    const id = randomBytes(ID_BYTES).toString('hex');
    const created = new Date().toISOString();
    const hook = { version: 1 as const, id, created, maker, request: rest, secret: rest.exec ? null : secret };
    await writeRecord(this.#pathOf(id), hook);
    return hook;
  }

  #checkRoom({ id, isLocal }: HookMaker): void {
    if (this.#ids().length >= MAX_HOOKS) throw limitReached('MAX_HOOKS', MAX_HOOKS, 'There are too many hooks');
    const own = isLocal ? 0 : this.list().filter(({ maker }) => maker.id === id).length;
    const what = 'This key has too many hooks';
    if (own >= MAX_HOOKS_PER_KEY) throw limitReached('MAX_HOOKS_PER_KEY', MAX_HOOKS_PER_KEY, what);
  }

  #ids(): string[] {
    this.#checkPrivate();
    return readdirSync(this.#directory).flatMap((name) => FILE.exec(name)?.[1] ?? []);
  }

  #pathOf(id: string): string {
    return join(this.#directory, `${id}.json`);
  }

  /** Checks that no other user can write to the folder, because whoever can write there can run commands. */
  #checkPrivate(): void {
    const problem = privacyProblem(lstatSync(this.#directory), process.getuid?.() ?? 0, this.#directory);
    const found = problem === null ? dataDirectoryProblem(this.#dataDir) : `${this.#directory}: ${problem}`;
    if (found !== null) throw new TerminalError('INVALID_INPUT', `Hooks cannot be used: ${found}`);
  }
}
