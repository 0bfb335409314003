/** Yields what happened in a terminal between two offsets of its output, read at the pace of the caller. */
import { constants } from 'node:os';
import type { CommandRecord } from '../contract/command.js';
import type { OutputEvent, TerminalEvent } from '../contract/event.js';
import type { TerminalManager } from '../contract/manager.js';
import type { TrackPage } from '../contract/recording.js';
import { printable } from '../printable.js';
import type { RecordedEvent } from './recording.js';
import { Timeline } from './timeline.js';

/** Added to the number of a signal that ended a program, as shells do. */
const SIGNAL_STATUS = 128;
const MAX_LABEL_CHARS = 200;

export interface EventSource {
  readonly manager: TerminalManager;
  readonly id: string;
  /** The page of the track where the events begin. */
  readonly page: TrackPage;
  readonly to: number;
  /** The commands to mark, oldest first. */
  readonly commands: readonly CommandRecord[];
}

export async function* recordedEvents(source: EventSource): AsyncGenerator<RecordedEvent> {
  const { manager, id, page, to } = source;
  const cutter = new Cutter(source);
  if (page.heldFrom < to) {
    const subscription = await manager.subscribe(id, page.heldFrom);
    try {
      for await (const event of subscription) {
        if (event.type === 'gap') yield await cutter.gap(event.offset, event.resumeAt);
        if (event.type === 'output') yield* cutter.output(event);
        if (event.type === 'exit' || endOf(event) >= to) break;
      }
    } finally {
      subscription.close();
    }
  }
  yield* cutter.at(to);
}

/** Returns where the output continues after an event. */
function endOf(event: TerminalEvent): number {
  if (event.type === 'output') return event.offset + event.bytes.length;
  return event.type === 'gap' ? event.resumeAt : 0;
}

/** Divides output where its time, the size of the screen or the command changes, and yields these changes. */
class Cutter {
  readonly #timeline: Timeline;
  readonly #commands: CommandRecord[];
  readonly #to: number;
  #last = 0;

  constructor({ manager, id, page, to, commands }: EventSource) {
    this.#timeline = new Timeline(manager, id, page, to);
    this.#commands = [...commands];
    this.#to = to;
  }

  async *output({ offset, bytes }: OutputEvent): AsyncGenerator<RecordedEvent> {
    const end = Math.min(offset + bytes.length, this.#to);
    for (let at = offset; at < end;) {
      await this.#timeline.moveTo(at);
      yield* this.at(at);
      const next = Math.min(end, this.#timeline.nextOffset, this.#commands[0]?.fromOffset ?? Infinity);
      const time = this.#timeOf(this.#timeline.time);
      yield { type: 'output', time, bytes: bytes.subarray(at - offset, next - offset) };
      at = next;
    }
  }

  async gap(offset: number, resumeAt: number): Promise<RecordedEvent> {
    const end = Math.min(resumeAt, this.#to);
    await this.#timeline.moveTo(end);
    const time = this.#timeOf(this.#timeline.time);
    return { type: 'marker', time, label: `${end - offset} bytes of output are missing` };
  }

  /** Yields what happened before the output at an offset. */
  *at(offset: number): Generator<RecordedEvent> {
    const isEnd = offset >= this.#to;
    for (const { time, cols, rows } of this.#timeline.sizesUpTo(offset)) {
      yield { type: 'resize', time: isEnd ? this.#timeOf(time) : this.#timeBefore(time), cols, rows };
    }
    while (this.#commands[0] !== undefined && this.#commands[0].fromOffset <= offset) {
      const command = this.#commands.shift()!;
      const time = Date.parse(command.started);
      yield { type: 'marker', time: isEnd ? this.#timeOf(time) : this.#timeBefore(time), label: labelOf(command) };
    }
  }

  #timeBefore(time: number): number {
    return this.#timeOf(Math.min(time, this.#timeline.time));
  }

  /** Times never decrease. */
  #timeOf(time: number): number {
    return (this.#last = Math.max(this.#last, time));
  }
}

/** Such as `npm test → exit 1`. */
function labelOf({ text, ended, exitCode, signal }: CommandRecord): string {
  const how = exitCode === null ? (signal ?? 'ended') : `exit ${exitCode}`;
  return printable(text.split('\n')[0]!).slice(0, MAX_LABEL_CHARS) + (ended === null ? '' : ` → ${how}`);
}

/** Returns the exit status as shells report it; null if it is not known. */
export function statusOf(exitCode: number | null, signal: string | null): number | null {
  const number = (constants.signals as Readonly<Record<string, number>>)[signal ?? ''];
  return exitCode ?? (number === undefined ? null : SIGNAL_STATUS + number);
}
