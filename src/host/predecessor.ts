/**
 * Implements the receiving side of a hand-off: takes over the terminals of the old host that started this process. The
 * old host remains the programs' parent and reports how they end. If the old host is killed, this process can detect
 * only that a program has ended, not how.
 */
import { Socket } from 'node:net';
import { startTimeOf } from '../processes/process-table.js';
import type { PtyExit } from '../pty/pty.js';
import type { TerminalHandOff } from '../terminal/terminal-hand-off.js';
import type { LocalTerminalManager } from '../terminal/terminal-manager.js';
import type { EventLogState } from '../terminal/watch/event-log.js';
import { CHANNEL_FD, HAND_OFF_VERSION, HandOffChannel } from './hand-off.js';
import type { HandOffMessage } from './hand-off.js';

/** How often to check whether orphaned programs, whose exit no process can wait for, have ended. */
const ORPHAN_CHECK_MS = 500;
const UNKNOWN_EXIT: PtyExit = { exitCode: null, signal: null };

export class Predecessor {
  readonly #channel: HandOffChannel;
  readonly #terminals: TerminalHandOff[] = [];
  #events: EventLogState | undefined;
  /** Programs whose end has not been reported yet, by terminal. */
  readonly #running = new Map<string, TerminalHandOff>();
  readonly #ended: { id: string; exit: PtyExit }[] = [];
  #manager: LocalTerminalManager | null = null;
  #isGone = false;
  readonly #slotGiven: Promise<void>;
  #onGo: () => void = () => {};
  #onFailed: (error: Error) => void = () => {};

  constructor() {
    this.#slotGiven = new Promise((resolve, reject) => {
      this.#onGo = resolve;
      this.#onFailed = reject;
    });
    this.#channel = new HandOffChannel(new Socket({ fd: CHANNEL_FD }), {
      onTerminal: (handed) => this.#terminals.push(handed),
      onMessage: (message) => this.#onMessage(message),
      onEnd: (reason) => this.#onLost(reason),
    });
  }

  /** Resolves when the slot and its terminals belong to this process. Rejects if the old host keeps them. */
  slotGiven(): Promise<void> {
    return this.#slotGiven;
  }

  /** Takes over the terminals and reports that it is serving. */
  async serve(manager: LocalTerminalManager, listen: () => Promise<void>): Promise<void> {
    for (const handed of this.#terminals) if (handed.pty.exit === null) this.#running.set(handed.identity.id, handed);
    await manager.takeOver({ terminals: this.#terminals.splice(0), events: this.#events });
    this.#manager = manager;
    for (const { id, exit } of this.#ended.splice(0)) this.#reportEnd(id, exit);
    await listen();
    this.#channel.send({ type: 'serving' });
    this.#channel.hold(false);
    if (this.#isGone) this.#watchOrphans();
  }

  #onMessage(message: HandOffMessage): void {
    if (message.type === 'all') this.#prepare(message);
    if (message.type === 'go') this.#onGo();
    if (message.type === 'ended') this.#reportEnd(message.id, message.exit);
  }

  #prepare({ version, count, events }: Extract<HandOffMessage, { type: 'all' }>): void {
    this.#events = events;
    const isKnown = version === HAND_OFF_VERSION && count === this.#terminals.length;
    if (isKnown) return this.#channel.send({ type: 'prepared' });
    const message = `this version uses hand-off format ${HAND_OFF_VERSION}, the old version uses ${version}`;
    this.#channel.send({ type: 'refused', message });
  }

  #reportEnd(id: string, exit: PtyExit): void {
    if (this.#manager === null) {
      this.#ended.push({ id, exit });
      return;
    }
    this.#running.delete(id);
    this.#manager.programEnded(id, exit);
  }

  #onLost(reason: string): void {
    this.#isGone = true;
    this.#onFailed(new Error(`The hand-off was interrupted: ${reason}`));
    if (this.#manager !== null) this.#watchOrphans();
  }

  /** Watches programs whose exit no process can wait for. How they end remains unknown. */
  #watchOrphans(): void {
    if (this.#running.size === 0) return;
    const timer = setInterval(() => {
      for (const [id, { pty }] of this.#running)
        if (startTimeOf(pty.pid) !== pty.startTime) this.#reportEnd(id, UNKNOWN_EXIT);
      if (this.#running.size === 0) clearInterval(timer);
    }, ORPHAN_CHECK_MS);
    timer.unref();
  }
}
