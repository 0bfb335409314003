/** Formats events as JSON lines, with terminal output as text. */
import { StringDecoder } from 'node:string_decoder';
import { printableJson } from '../../printable.js';
import type { RunEvent } from './events.js';

/** An agent can report output of any number of terminals that do not exist. */
const MAX_DECODERS = 1000;

export class JsonLines {
  readonly #decoders = new Map<string, StringDecoder>();

  lineOf(event: RunEvent): string {
    return `${printableJson(this.#plain(event))}\n`;
  }

  #plain(event: RunEvent): object {
    if (event.type === 'terminal_ended') this.#decoders.delete(keyOf(event));
    if (event.type !== 'terminal_output') return event;
    const { data, ...rest } = event;
    return { ...rest, text: this.#decoder(event).write(Buffer.from(data)) };
  }

  /** Returns a separate decoder for each terminal, because a character may be split between two chunks. */
  #decoder(terminal: TerminalKey): StringDecoder {
    const key = keyOf(terminal);
    const decoder = this.#decoders.get(key) ?? new StringDecoder('utf8');
    this.#decoders.set(key, decoder);
    if (this.#decoders.size > MAX_DECODERS) this.#decoders.delete(this.#decoders.keys().next().value!);
    return decoder;
  }
}

interface TerminalKey {
  readonly sessionId: string;
  readonly terminalId: string;
}

function keyOf({ sessionId, terminalId }: TerminalKey): string {
  return JSON.stringify([sessionId, terminalId]);
}
