/**
 * What an agent prints, as messages for the SDK: what it tells of a session is taken out as it is, because the SDK would refuse
 * all that is not of its version of the protocol; and so is what is no message, and an answer to what was never asked, of
 * which the SDK would write on stderr in the agent's own words. No more is let through than is shown. It knows no session.
 */
import { Readable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { PipedChild } from '../stream-of.js';

export interface MessageListener {
  /** Told of each `session/update`, in order, before what came after it is handed on. */
  onUpdate(params: unknown): void;
  /** A line that is no message. */
  onStray(line: string): void;
  /** Resolves when more may come. */
  ready(): Promise<void>;
}

const UPDATE = 'session/update';
const LF = 0x0a;
/** What the SDK takes. */
const MAX_LINE_BYTES = 32 << 20;
const MAX_STRAY_CHARS = 300;

export function messagesOf({ stdin, stdout }: PipedChild, listener: MessageListener): Stream {
  const writable = new WritableStream<AnyMessage>({
    // Takes what an agent that is gone does not: the connection ends with what it says, all of which is read.
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

/** @throws {RangeError} if one has no end. */
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
