/** A client that types numbered inputs over many connections, and repeats after a loss what was not acknowledged. */
import { eventually } from '../eventually.js';
import { LiveClient } from './live-client.js';

const WRITER = 'one client';

interface Input {
  readonly type: 'input';
  readonly writer: string;
  readonly seq: number;
  readonly text: string;
}

export class LiveTypist {
  /** All output, from the first byte. */
  output = '';
  #seq = 0;
  #pending: Input[] = [];
  readonly #id: string;
  readonly #textOf: (seq: number) => string;

  constructor(id: string, textOf: (seq: number) => string) {
    this.#id = id;
    this.#textOf = textOf;
  }

  /** Everything that was to be typed. */
  get expected(): string {
    return Array.from({ length: this.#seq }, (_, index) => this.#textOf(index + 1)).join('');
  }

  /**
   * Connects, and types at once, repetitions first. Resolves when the connection has ended, at the latest after `until`
   * holds; what has arrived by then counts.
   */
  async type(
    { url, headers = {} }: { url: string; headers?: Readonly<Record<string, string>> },
    inputs: number,
    until: (client: LiveClient, output: string) => boolean,
  ): Promise<void> {
    for (let more = 0; more < inputs; more++) this.#add(++this.#seq);
    const client = new LiveClient(url, this.#id, { query: `from=${this.output.length}`, headers });
    client.socket.once('open', () => this.#pending.forEach((input) => client.send(input)));
    await eventually(() => client.closed !== null || until(client, this.output + client.output));
    client.socket.terminate();
    await client.closing();
    expect(client.all('gap')).toEqual([]);
    const acknowledged = client.all('ack').at(-1)?.seq ?? 0;
    this.#pending = this.#pending.filter(({ seq }) => seq > acknowledged);
    this.output += client.output;
  }

  #add(seq: number): void {
    this.#pending.push({ type: 'input', writer: WRITER, seq, text: this.#textOf(seq) });
  }
}
