import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { answerBrokenRequest } from './broken.js';

/** Returns what is written to a connection after this error. */
async function written(code: string): Promise<string> {
  const socket = new PassThrough();
  const all = text(socket).catch(() => '');
  answerBrokenRequest(Object.assign(new Error('broken'), { code }), socket, () => {});
  return all;
}

it.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'HTTP/1.1 408 Request Timeout'],
  ['HPE_HEADER_OVERFLOW', 'HTTP/1.1 431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'HTTP/1.1 413 Payload Too Large'],
  ['HPE_INVALID_METHOD', 'HTTP/1.1 400 Bad Request'],
])('answers %s in the common error format', async (code, statusLine) => {
  const answer = await written(code);
  expect(answer.split('\r\n')[0]).toBe(statusLine);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  expect(answer).toContain(`Content-Length: ${Buffer.byteLength(body)}\r\n`);
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'INVALID_INPUT' } });
});

it('writes nothing to a connection that was reset', async () => {
  expect(await written('ECONNRESET')).toBe('');
});
