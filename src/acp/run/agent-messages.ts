/**
 * Converts an agent's output to messages for the SDK. Removes session updates before they are parsed, because the SDK
 * rejects everything outside its version of the protocol. Also removes lines that are not messages, and responses to
 * requests that were never made, because the SDK would print them to stderr in the agent's own words. Reads only as
 * fast as output is displayed.
 */
import { Readable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { PipedChild } from '../stream-of.js';

export interface MessageListener {
  /** Called for each `session/update`, in order, before later messages are passed on. */
  onUpdate(params: unknown): void;
  /** Called for a line that is not a message. */
  onStray(line: string): void;
  /** Resolves when more may be read. */
  ready(): Promise<void>;
}

const UPDATE = 'session/update';
const LF = 0x0a;
/** The SDK's own limit. */
const MAX_LINE_BYTES = 32 << 20;
const MAX_STRAY_CHARS = 300;

export function messagesOf({ stdin, stdout }: PipedChild, listener: MessageListener): Stream {
  const writable = new WritableStream<AnyMessage>({
    // Ignores that an agent that has ended does not accept writes. The connection ends with the agent's output, all of
    // which is read.
    write: (message) => new Promise((resolve) => stdin.write(`${JSON.stringify(message)}\n`, () => resolve())),
  });
  const readable = Readable.toWeb(Readable.from(messages(stdout, listener))) as ReadableStream<AnyMessage>;
  return { readable, writable };
}

async function* messages(stdout: Readable, listener: MessageListener): AsyncGenerator<AnyMessage> {
  for await (const line of linesOf(stdout)) {
    const message = parsed(line);
    if (message === null) stray(line, listener);
    else if (message['method'] === UPDATE && message['id'] === undefined) listener.onUpdate(message['params']);
    else if (message['method'] !== undefined || typeof message['id'] === 'number') yield message as AnyMessage;
    await listener.ready();
  }
}

function stray(line: string, listener: MessageListener): void {
  if (line.trim() !== '') listener.onStray(line.slice(0, MAX_STRAY_CHARS).trimEnd());
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** Yields each line. @throws {RangeError} If a line exceeds the limit. */
async function* linesOf(stdout: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of stdout as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      yield Buffer.concat([...parts, bytes.subarray(from, end)]).toString();
      [parts, size, from] = [[], 0, end + 1];
    }
    parts.push(bytes.subarray(from));
    size += bytes.length - from;
    if (size > MAX_LINE_BYTES) throw new RangeError(`a line of more than ${MAX_LINE_BYTES} bytes`);
  }
  yield Buffer.concat(parts).toString();
}
