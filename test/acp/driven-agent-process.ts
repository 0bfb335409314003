/** The driven agent as a program on stdin and stdout. */
import { Readable, Writable } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { drivenAgent } from './driven-agent.js';

drivenAgent().connect(
  ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  ),
);
