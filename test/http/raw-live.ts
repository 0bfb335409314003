/** Live connections without a WebSocket client, to send what no client would. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { requestText } from './raw-request.js';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  readonly opcode?: number;
  readonly payload: Buffer;
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  /** The three reserved bits. */
  readonly reserved?: number;
  /** As the header states it. Default: that of the payload. */
  readonly length?: bigint;
}

const SHORT = 126n;
const MEDIUM = 1n << 16n;

/** Encodes a frame. The mask consists of zeros, so it changes nothing. */
export function encoded({ opcode = OPCODE.text, payload, isFinal = true, isMasked = true, ...more }: Frame): Buffer {
  const { reserved = 0, length = BigInt(payload.length) } = more;
  const code = length < SHORT ? Number(length) : length < MEDIUM ? 126 : 127;
  const head = Buffer.from([(isFinal ? 0x80 : 0) | (reserved << 4) | opcode, (isMasked ? 0x80 : 0) | code]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(length);
  const sizeBytes = length < SHORT ? 0 : length < MEDIUM ? 2 : 8;
  return Buffer.concat([head, size.subarray(8 - sizeBytes), Buffer.alloc(isMasked ? 4 : 0), payload]);
}

const HANDSHAKE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Resolves once the server has accepted the handshake; nothing is read after it. */
export async function openRawLive(port: number, id: string, query = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(requestText(port, 'GET', `/api/terminals/${id}/live${query}`, { headers: HANDSHAKE }));
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString('latin1')).toMatch(/^HTTP\/1\.1 101 /);
  return socket.pause();
}
