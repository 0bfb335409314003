/**
 * Follows a terminal on a display until the person leaves or the program ends: first the screen as it is, then
 * each byte that comes, and the screen anew whenever its size has changed. It knows no keyboard.
 */
import type { TerminalEvent } from '../../contract/event.js';
import type { Subscription, TerminalManager } from '../../contract/manager.js';
import type { TerminalSize } from '../../contract/terminal.js';
import type { Ending } from '../exit-code.js';
import type { Display } from './display.js';
import { isSame } from './size-keeper.js';
import type { SizeKeeper } from './size-keeper.js';

export type Outcome =
  | { readonly kind: 'detached' }
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'removed' }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'failed'; readonly error: unknown };

export class Attachment {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #display: Display;
  readonly #sizes: SizeKeeper;
  #subscription: Subscription | undefined;
  #painted: TerminalSize = { cols: 0, rows: 0 };
  #outcome: Outcome | undefined;

  constructor(manager: TerminalManager, id: string, display: Display, sizes: SizeKeeper) {
    this.#manager = manager;
    this.#id = id;
    this.#display = display;
    this.#sizes = sizes;
  }

  /** Ends `follow` with this outcome; the first one counts. */
  leave(outcome: Outcome): void {
    this.#outcome ??= outcome;
    this.#subscription?.close();
  }

  /** Shows the screen anew, as after the person's shell has written on it. */
  repaint(): void {
    this.#subscription?.close();
  }

  async follow(): Promise<Outcome> {
    await this.#display.makeRoom();
    while (this.#outcome === undefined) {
      await this.#paint();
      for await (const event of this.#subscription!) if (await this.#show(event)) break;
    }
    await this.#display.finish();
    return this.#outcome;
  }

  async #paint(): Promise<void> {
    const { cols, rows, offset, data } = await this.#manager.snapshot(this.#id);
    this.#painted = { cols, rows };
    this.#subscription = await this.#manager.subscribe(this.#id, offset);
    // Whoever left meanwhile had nothing to close yet.
    if (this.#outcome !== undefined) this.#subscription.close();
    await this.#display.paint(data);
  }

  /** Answers whether this was the last event of this subscription. */
  async #show(event: TerminalEvent): Promise<boolean> {
    if (event.type === 'output') await this.#display.show(event.bytes);
    else if (event.type === 'exit') this.leave({ kind: 'ended', ending: event });
    else if (event.type === 'end') this.leave({ kind: 'removed' });
    else if (event.type === 'resize') return this.#resized(event);
    // What was missed may have changed anything.
    return event.type !== 'output';
  }

  /** The snapshot may stand just before the resize that it has taken in already. */
  #resized({ cols, rows }: TerminalSize): boolean {
    this.#sizes.onApplied({ cols, rows });
    return !isSame(this.#painted, { cols, rows });
  }
}
