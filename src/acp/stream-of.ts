/** A connection of the SDK with a program, over what it reads and prints. It knows neither what is said nor the program. */
import { Readable, Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import type { Stream } from '@agentclientprotocol/sdk';

/** What of a child process is needed: one that was started with `stdio: ['pipe', 'pipe', …]`. */
export interface PipedChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/**
 * The stream to connect a client of the SDK with, to an agent that is a child process: one message a line, out to its
 * stdin and in from its stdout. The agent's end is the end of the connection. Made by hand it takes casts wherever the types
 * of web streams are the browser's.
 */
export function streamOf({ stdin, stdout }: PipedChild): Stream {
  return ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
}
