/**
 * Implements `Idempotency-Key`: records the requests that were made with a key, so that repeating one has no second
 * effect, even after the server was killed. Does not store responses: a repeat returns the current state of what the
 * first request started.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { abortable } from '../abortable.js';
import { conservativeNow } from '../clock.js';
import { limitReached, TerminalError } from '../errors.js';
import { readRecord, writeRecord } from '../store/record-file.js';

const KEPT_MS = 10 * 60_000;
/** Maximum number of keys per principal, far more than any client uses within the retention time. */
const MAX_KEYS = 10_000;

const effect = z.object({
  time: z.number(),
  /** Digest that identifies the request. */
  digest: z.string(),
  /** The idempotency key of the manager calls that the request makes. */
  id: z.string(),
  isDone: z.boolean(),
  commandId: z.int().nullable(),
});
/** What a request has done so far, and whether it is complete. */
export type RequestEffect = z.infer<typeof effect>;

export interface KeyedRequest {
  readonly principalId: string;
  readonly route: string;
  readonly key: string;
  /** Everything that distinguishes this request from another one. */
  readonly content: unknown;
  readonly signal: AbortSignal;
}

/** Attempts the request once, and sets `effect.commandId` to the number of the command that it ran. */
export type RequestAttempt<Answer> = (effect: RequestEffect, isRepeat: boolean) => Promise<Answer>;

interface KeptKey {
  /** When the record was last written. */
  readonly time: number;
  /** Undefined for a key that an earlier process recorded. */
  readonly principalId?: string;
}

/** The stored form of an idempotency key, with its owner. */
interface OwnedKey {
  readonly name: string;
  readonly principalId: string;
}

interface RunningRequest {
  readonly digest: string;
  readonly over: Promise<unknown>;
}

export class IdempotencyKeys {
  readonly #directory: string;
  readonly #now: () => number;
  readonly #running = new Map<string, RunningRequest>();
  readonly #maxKeys: number;
  /** Keys, oldest first, or undefined until they have been read from disk on first use. */
  #kept: Map<string, KeptKey> | undefined;

  /** @param directory - Created when it is first needed. */
  constructor(directory: string, now: () => number = conservativeNow, maxKeys = MAX_KEYS) {
    this.#directory = directory;
    this.#now = now;
    this.#maxKeys = maxKeys;
  }

  /**
   * Makes the attempt after any other attempt of the same request has ended.
   *
   * @throws `KEY_REUSED` if the key was used with a different request, `LIMIT_REACHED` if the caller has used too many
   * keys, or whatever the attempt throws.
   */
  async once<Answer>(request: KeyedRequest, attempt: RequestAttempt<Answer>): Promise<Answer> {
    const [name, digest] = [nameOf(request), digestOf(request)];
    for (let other = this.#running.get(name); other !== undefined; other = this.#running.get(name)) {
      checkSame(other, digest);
      await overOrAborted(other.over, request.signal);
    }
    const answer = this.#attempt({ name, principalId: request.principalId }, digest, attempt);
    this.#running.set(name, { digest, over: answer.catch(() => {}) });
    return answer.finally(() => this.#running.delete(name));
  }

  async #attempt<Answer>(key: OwnedKey, digest: string, attempt: RequestAttempt<Answer>): Promise<Answer> {
    const { name } = key;
    const known = this.#find(name);
    if (known !== null) checkSame(known, digest);
    const effect = known ?? { time: this.#now(), digest, id: randomUUID(), isDone: false, commandId: null };
    if (known === null) await this.#add(key, effect);
    try {
      const answer = await attempt(effect, known !== null);
      // If this cannot be written, a repeat still uses the same id and therefore finds what was done.
      if (!effect.isDone) await this.#write(key, { ...effect, isDone: true, time: this.#now() }).catch(() => {});
      return answer;
    } catch (error) {
      if (!effect.isDone && hadNoEffect(error)) this.#drop(name);
      throw error;
    }
  }

  #find(name: string): RequestEffect | null {
    const known = readRecord(this.#pathOf(name), effect);
    return known === null || this.#isOver(known.time) ? null : known;
  }

  async #add(key: OwnedKey, effect: RequestEffect): Promise<void> {
    this.#dropOver();
    if (this.#all.size >= this.#maxKeys && this.#countOf(key.principalId) >= this.#maxKeys) {
      const what = 'Too many idempotency keys of this caller were used within ten minutes';
      throw limitReached('IDEMPOTENCY_KEYS', this.#maxKeys, what);
    }
    await this.#write(key, effect);
  }

  #countOf(principalId: string): number {
    return [...this.#all.values()].filter((kept) => kept.principalId === principalId).length;
  }

  async #write({ name, principalId }: OwnedKey, effect: RequestEffect): Promise<void> {
    this.#all.delete(name);
    this.#all.set(name, { time: effect.time, principalId });
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    await writeRecord(this.#pathOf(name), effect);
  }

  #drop(name: string): void {
    this.#all.delete(name);
    rmSync(this.#pathOf(name), { force: true });
  }

  #dropOver(): void {
    for (const [name, { time }] of this.#all) {
      if (!this.#isOver(time)) return;
      if (!this.#running.has(name)) this.#drop(name);
    }
  }

  /**
   * Returns whether the retention time is over, which is also assumed if the clock was set back by more than that time.
   */
  #isOver(time: number): boolean {
    return Math.abs(this.#now() - time) >= KEPT_MS;
  }

  get #all(): Map<string, KeptKey> {
    return (this.#kept ??= new Map(keysIn(this.#directory)));
  }

  #pathOf(name: string): string {
    return join(this.#directory, name);
  }
}

function keysIn(directory: string): [name: string, key: KeptKey][] {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const keys = readdirSync(directory).map((name): [string, KeptKey] => [
    name,
    { time: statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 },
  ]);
  return keys.sort(([, a], [, b]) => a.time - b.time);
}

function nameOf({ principalId, route, key }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([principalId, route, key]))
    .digest('hex');
}

/**
 * Returns a digest of the request that is keyed with the idempotency key, which is not stored on disk. A plain hash
 * could reveal input that is short enough to guess, such as a password.
 */
function digestOf({ key, content }: KeyedRequest): string {
  return createHmac('sha256', key).update(JSON.stringify(content)).digest('hex');
}

function checkSame(known: { readonly digest: string }, digest: string): void {
  if (known.digest === digest) return;
  const message =
    'This Idempotency-Key was used with a different request within the last ten minutes; use a new key for each ' +
    'request';
  throw new TerminalError('KEY_REUSED', message, { header: 'Idempotency-Key' });
}

/** Returns whether the attempt certainly started nothing, so that the key can be used again. */
function hadNoEffect(error: unknown): boolean {
  return error instanceof TerminalError && (!error.kind.retryable || error.code === 'TERMINAL_BUSY');
}

async function overOrAborted(over: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await abortable(over, signal).catch(() => {});
  if (!signal.aborted) return;
  const message = 'The server is stopping while the first request with this Idempotency-Key is running; try again';
  throw new TerminalError('SHUTTING_DOWN', message);
}
