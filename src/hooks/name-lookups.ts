/**
 * Resolves the host names of webhooks. A look-up cannot be cancelled, and occupies one of the few threads of this
 * process, so look-ups for the hooks of one key take turns. A name server that does not respond therefore delays only
 * those hooks.
 */
import { isIP } from 'node:net';
import type { HookMaker } from './hook-files.js';
import { Slots } from './slots.js';
import { resolveBySystem } from './webhook.js';
import type { Resolve } from './webhook.js';

export class NameLookups {
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
