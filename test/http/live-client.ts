/** A client of live connections, as simple as the protocol allows: it keeps every message and joins the output. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { LIVE_OFFSET_BYTES, LIVE_PROTOCOL, type LiveMessage } from '../../src/contract/live.js';
import { eventually } from '../eventually.js';

type MessageOf<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type }>;

export interface LiveClientOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocol?: string | readonly string[];
}

export class LiveClient {
  readonly socket: WebSocket;
  readonly messages: LiveMessage[] = [];
  /** Offset after the last byte of output. */
  offset: number | null = null;
  /** Output since the last snapshot or gap. */
  output = '';
  closed: { readonly code: number; readonly reason: string } | null = null;

  constructor(url: string, id: string, { query = '', headers = {}, protocol = LIVE_PROTOCOL }: LiveClientOptions = {}) {
    const target = `${url.replace(/^http/, 'ws')}/api/terminals/${id}/live${query && `?${query}`}`;
    this.socket = new WebSocket(target, [protocol].flat(), { headers: { ...headers } });
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#take(data);
      else this.messages.push(JSON.parse(data.toString()) as LiveMessage);
    });
    this.socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    this.socket.on('error', () => {});
  }

  /** Resolves to the client once it is greeted. */
  static async open(url: string, id: string, options?: LiveClientOptions): Promise<LiveClient> {
    const client = new LiveClient(url, id, options);
    await client.get('hello');
    return client;
  }

  /** Resolves to the status and the body with which the upgrade is refused. */
  static async refusal(url: string, id: string, options?: LiveClientOptions): Promise<[status: number, code: string]> {
    const { socket } = new LiveClient(url, id, options);
    const [, response] = await once(socket, 'unexpected-response');
    const body = await (response as AsyncIterable<Buffer> & { toArray(): Promise<Buffer[]> }).toArray();
    const { error } = JSON.parse(Buffer.concat(body).toString()) as { error: { code: string } };
    return [(response as { statusCode: number }).statusCode, error.code];
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  all<Type extends LiveMessage['type']>(type: Type): MessageOf<Type>[] {
    return this.messages.filter((message): message is MessageOf<Type> => message.type === type);
  }

  /** Resolves to the message of this type with the given number among those of its type. */
  get<Type extends LiveMessage['type']>(type: Type, index = 0): Promise<MessageOf<Type>> {
    const missing = () => `${type} ${index} in ${JSON.stringify(this.messages)} ${JSON.stringify(this.closed)}`;
    return eventually(() => this.all(type)[index], { missing });
  }

  async prints(text: string): Promise<void> {
    await eventually(() => this.output.includes(text), { missing: () => `${text} in ${this.output.slice(-1000)}` });
  }

  closing(): Promise<{ readonly code: number; readonly reason: string }> {
    return eventually(() => this.closed);
  }

  /** Bytes must follow each other. */
  #take(message: Buffer): void {
    const at = Number(message.readBigUInt64BE());
    const last = this.messages.at(-1);
    if (last?.type === 'snapshot' && last.at === at && this.offset !== at) this.output = '';
    else if (this.offset !== null && at !== this.offset) throw new Error(`Output at ${at} follows ${this.offset}`);
    this.offset = at + message.length - LIVE_OFFSET_BYTES;
    this.output += message.toString('latin1', LIVE_OFFSET_BYTES);
  }
}
