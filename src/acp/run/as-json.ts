/** Formats events as JSON lines, with terminal output as text. */
import { StringDecoder } from 'node:string_decoder';
import { LruMap } from '../../lru-map.js';
import { printableJson } from '../../printable.js';
import { keyOf } from '../shown-terminals.js';
import type { RunEvent } from './events.js';

/** An agent can report output of any number of terminals that do not exist. */
const MAX_DECODERS = 1000;

export class JsonLines {
  /** Each terminal has its own, because a character may be split between two chunks. */
  readonly #decoders = new LruMap<StringDecoder>(MAX_DECODERS);

  lineOf(event: RunEvent): string {
    return `${printableJson(this.#plain(event))}\n`;
  }

  #plain(event: RunEvent): object {
    if (event.type === 'terminal_ended') this.#decoders.delete(keyOf(event.sessionId, event.terminalId));
    if (event.type !== 'terminal_output') return event;
    const { data, ...rest } = event;
    const decoder = this.#decoders.get(keyOf(event.sessionId, event.terminalId), () => new StringDecoder('utf8'));
    return { ...rest, text: decoder.write(Buffer.from(data)) };
  }
}
