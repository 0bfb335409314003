/** Connects the SDK to a child process through its stdin and stdout. */
import { Readable, Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import type { Stream } from '@agentclientprotocol/sdk';

/** The required part of a child process that was started with `stdio: ['pipe', 'pipe', …]`. */
export interface PipedChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/**
 * Returns the stream that connects a client of the SDK to an agent that is a child process: one message per line,
 * written to its stdin and read from its stdout. The connection ends with the agent. Without this function, callers
 * need casts wherever the web stream types are the browser's.
 */
export function streamOf({ stdin, stdout }: PipedChild): Stream {
  return ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
}
