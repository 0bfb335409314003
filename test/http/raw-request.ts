/** Raw requests, for what no HTTP client would send. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { DocumentedAnswer } from './documented.js';

/** Returns the text of a request with a valid Host header that closes the connection. */
export function requestText(
  port: number,
  method: string,
  target: string,
  { headers = {}, body = '' }: { headers?: Readonly<Record<string, string>>; body?: string | Buffer } = {},
): Buffer {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'close', ...headers });
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** Returns the text of a request with a JSON body of any content. */
export function jsonRequest(port: number, method: string, target: string, body: string | Buffer, headers = {}): Buffer {
  const length = String(Buffer.byteLength(body));
  return requestText(port, method, target, {
    headers: { 'Content-Type': 'application/json', 'Content-Length': length, ...headers },
    body,
  });
}

/** Sends bytes on their own connection; returns the answer once the server has closed it. */
export async function sendRaw(port: number, bytes: Buffer): Promise<DocumentedAnswer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'end');
  socket.destroy();
  return parse(Buffer.concat(chunks));
}

function parse(bytes: Buffer): DocumentedAnswer {
  const all = bytes.toString();
  const split = all.indexOf('\r\n\r\n');
  const [first = '', ...lines] = all.slice(0, split).split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), text: all.slice(split + 4) };
}
