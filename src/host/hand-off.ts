/**
 * Exchanges messages between two hosts during and after a hand-off of terminals, over a socket pair that the successor
 * inherits along with the terminals' descriptors.
 */
import type { Socket } from 'node:net';
import { z } from 'zod';
import { check } from '../check.js';
import type { TerminalHandOff } from '../terminal/terminal-hand-off.js';
import type { LoggedEvent } from '../terminal/watch/event-log.js';
import { KIND, MAX_ANSWER_BYTES } from './protocol.js';
import type { Frame } from './frames.js';
import { parseJson, FramedSocket } from './framed-socket.js';

/** Version of the hand-off format. A successor that does not support it refuses, and the old host continues. */
export const HAND_OFF_VERSION = 1;
/** The number of the descriptor that is a successor's end of the socket pair. The terminals' descriptors follow it. */
export const CHANNEL_FD = 3;
export const FIRST_TERMINAL_FD = 4;

const exit = z.strictObject({ exitCode: z.int().nullable(), signal: z.string().nullable() });

/** The events are trusted, like the terminals. */
const eventLogState = z.object({
  epoch: z.string(),
  count: z.int(),
  events: z.array(z.custom<LoggedEvent>()).readonly(),
});

/** All messages except the terminals themselves. */
const handOffMessage = z.discriminatedUnion('type', [
  /** Old to new: all terminals have been sent. */
  z.object({ type: z.literal('all'), version: z.int(), count: z.int(), events: eventLogState.optional() }),
  /** New to old: it can take over the terminals, or it cannot and says why. */
  z.object({ type: z.literal('prepared') }),
  z.object({ type: z.literal('refused'), message: z.string() }),
  /** Old to new: the slot now belongs to the new host. */
  z.object({ type: z.literal('go') }),
  /** New to old: it is serving. From now on, the old host is only the parent of its programs. */
  z.object({ type: z.literal('serving') }),
  /** Old to new: a program has ended. */
  z.object({ type: z.literal('ended'), id: z.string(), exit }),
]);
export type HandOffMessage = z.infer<typeof handOffMessage>;

/** A terminal without its binary data, which JSON cannot carry and which is sent separately. */
const handedForm = z.looseObject({
  type: z.literal('terminal'),
  handed: z.looseObject({
    identity: z.looseObject({ id: z.string() }),
    transcript: z.looseObject({ screen: z.string(), lines: z.array(z.unknown()) }),
    pty: z.looseObject({ pid: z.int(), pendingInput: z.string() }),
  }),
});

export interface HandOffEvents {
  onTerminal?(handed: TerminalHandOff): void;
  onMessage(message: HandOffMessage): void;
  /** Called when the other end has closed the channel or has sent an invalid message. */
  onEnd(reason: string): void;
}

export class HandOffChannel {
  readonly #socket: FramedSocket;
  readonly #events: HandOffEvents;
  #output: Buffer = Buffer.alloc(0);
  #reason = 'the other host process is gone';

  constructor(socket: Socket, events: HandOffEvents) {
    this.#events = events;
    this.#socket = new FramedSocket(socket, MAX_ANSWER_BYTES, {
      onMessage: (frame) => this.#take(frame),
      onBroken: (error) => {
        this.#reason = error instanceof Error ? error.message : String(error);
        this.#socket.destroy();
      },
      onClose: () => events.onEnd(this.#reason),
    });
  }

  /** Sends a terminal. `index` is the position of its descriptor among those that the successor inherits. */
  sendTerminal(handed: TerminalHandOff, index: number): void {
    const { output, ...transcript } = handed.transcript;
    const { pendingInput, ...pty } = handed.pty;
    const input = Buffer.from(pendingInput).toString('base64');
    const form = { ...handed, transcript, pty: { ...pty, fd: FIRST_TERMINAL_FD + index, pendingInput: input } };
    this.#socket.send(KIND.output, 0, output);
    this.#socket.sendJson(KIND.event, 0, { type: 'terminal', handed: form });
  }

  send(message: HandOffMessage): void {
    this.#socket.sendJson(KIND.event, 0, message);
  }

  /** Sets whether the open channel keeps the process alive. */
  hold(isHeld: boolean): void {
    this.#socket.hold(isHeld);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take({ kind, payload }: Frame): void {
    if (kind === KIND.output) {
      this.#output = payload;
      return;
    }
    const message = parseJson(payload);
    if ((message as { type?: unknown }).type === 'terminal') this.#events.onTerminal?.(this.#handed(message));
    else this.#events.onMessage(check('', handOffMessage, message));
  }

  /**
   * The message contains a history, so its size is not limited as a caller's input is. Fields that this form does not
   * check are trusted to match our version.
   */
  #handed(message: unknown): TerminalHandOff {
    const { handed } = handedForm.parse(message);
    const pendingInput = Buffer.from(handed.pty.pendingInput, 'base64');
    const transcript = { ...handed.transcript, output: this.#output };
    return { ...handed, transcript, pty: { ...handed.pty, pendingInput } } as unknown as TerminalHandOff;
  }
}
