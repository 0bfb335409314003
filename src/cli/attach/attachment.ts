/**
 * Follows a terminal on a display until the person detaches or the program ends. Paints the current screen first, then
 * shows each byte as it arrives, and repaints the screen whenever its size changes. Does not handle the keyboard.
 */
import type { Holder } from '../../contract/control.js';
import type { TerminalEvent } from '../../contract/event.js';
import type { Subscription, TerminalManager } from '../../contract/manager.js';
import type { TerminalSize } from '../../contract/terminal.js';
import type { ProgramEnd } from '../exit-code.js';
import type { Display } from './display.js';
import { isSame } from './size-sync.js';

export type AttachOutcome =
  | { readonly kind: 'detached' }
  | { readonly kind: 'ended'; readonly ending: ProgramEnd }
  | { readonly kind: 'removed' }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface AttachmentEvents {
  onResized(size: TerminalSize): void;
  /** Called when the terminal has a new holder or is no longer held. */
  onHolder(holder: Holder): void;
}

export class Attachment {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #display: Display;
  readonly #events: AttachmentEvents;
  #subscription: Subscription | undefined;
  #painted: TerminalSize = { cols: 0, rows: 0 };
  #outcome: AttachOutcome | undefined;

  constructor(manager: TerminalManager, id: string, display: Display, events: AttachmentEvents) {
    this.#manager = manager;
    this.#id = id;
    this.#display = display;
    this.#events = events;
  }

  /** Ends `follow` with this outcome. Only the first call has an effect. */
  leave(outcome: AttachOutcome): void {
    this.#outcome ??= outcome;
    this.#subscription?.close();
  }

  /** Repaints the screen, for example after the person's shell has written over it. */
  repaint(): void {
    this.#subscription?.close();
  }

  async follow(): Promise<AttachOutcome> {
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
    // `leave` may have been called while the subscription was being opened, when there was nothing to close.
    if (this.#outcome !== undefined) this.#subscription.close();
    await this.#display.paint(data);
  }

  /** Returns whether this was the last event of this subscription. */
  async #show(event: TerminalEvent): Promise<boolean> {
    if (event.type === 'output') await this.#display.show(event.bytes);
    else if (event.type === 'exit') this.leave({ kind: 'ended', ending: event });
    else if (event.type === 'end') this.leave({ kind: 'removed' });
    else if (event.type === 'resize') return this.#resized(event);
    else if (event.type === 'control') this.#events.onHolder(event.holder);
    // After a gap, the missed output may have changed anything, so start again from a snapshot.
    return event.type === 'gap' || event.type === 'exit' || event.type === 'end';
  }

  /**
   * Returns whether the screen must be repainted. It need not be if the snapshot already has the new size: a snapshot
   * can include a resize whose event follows it.
   */
  #resized({ cols, rows }: TerminalSize): boolean {
    this.#events.onResized({ cols, rows });
    return !isSame(this.#painted, { cols, rows });
  }
}
