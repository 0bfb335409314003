/** Formats events as JSON lines, with terminal output as text. */
import { StringDecoder } from 'node:string_decoder';
import type { RunEvent } from './events.js';

/** Control characters that take effect in a terminal but that JSON does not escape. */
const UNESCAPED = /[\x7f-\x9f\u2028\u2029]/g;

export class JsonLines {
  readonly #decoders = new Map<string, StringDecoder>();

  lineOf(event: RunEvent): string {
    const json = JSON.stringify(this.#plain(event));
    const escaped = json.replace(UNESCAPED, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `${escaped}\n`;
  }

  #plain(event: RunEvent): object {
    if (event.type !== 'terminal_output') return event;
    const { data, ...rest } = event;
    return { ...rest, text: this.#decoder(event).write(Buffer.from(data)) };
  }

  /** Returns a separate decoder for each terminal, because a character may be split between two chunks. */
  #decoder({ sessionId, terminalId }: { readonly sessionId: string; readonly terminalId: string }): StringDecoder {
    const key = JSON.stringify([sessionId, terminalId]);
    const decoder = this.#decoders.get(key) ?? new StringDecoder('utf8');
    this.#decoders.set(key, decoder);
    return decoder;
  }
}
