/** Connects the SDK to a child process through the process's stdin and stdout. */
import { Readable, Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import type { Stream } from '@agentclientprotocol/sdk';

/** The part of a child process that is needed, started with `stdio: ['pipe', 'pipe', …]`. */
export interface PipedChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/**
 * Returns the stream that connects a client of the SDK to an agent that runs as a child process: one message per line,
 * written to its stdin and read from its stdout. The connection ends with the agent. Without this function, callers
 * would need casts wherever the types of web streams are the browser's.
 */
export function streamOf({ stdin, stdout }: PipedChild): Stream {
  return ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
}
