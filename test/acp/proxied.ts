/**
 * `tenacitty acp proxy` with the test on both sides: as the editor that started it, and as the agent, whose bytes
 * travel through a socket.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { MAIN } from '../cli/place.js';
import type { Place } from '../cli/place.js';

/** Started as the agent; forwards all bytes to and from the socket. It ends when the socket does. */
const PUPPET = `
  const socket = require('node:net').connect(process.argv[1]);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  socket.on('end', () => process.exit(0));`;

const NEWLINE = 0x0a;

/** One side of the proxy, in bytes and in lines. Reads only when asked to. */
export class Side {
  readonly input: Writable;
  readonly #output: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(input: Writable, output: Readable) {
    this.input = input;
    this.#output = output;
    this.#chunks = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    input.on('error', () => {});
  }

  say(message: object): void {
    this.input.write(`${JSON.stringify(message)}\n`);
  }

  /** Returns the next line, including its end, or the rest without an end at the end of the stream. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      if (end >= 0) return this.#take(end + 1).toString();
      const chunk = await this.#more();
      if (chunk === undefined) return this.#take(this.#rest.length).toString();
      this.#rest = Buffer.concat([this.#rest, chunk]);
    }
  }

  /** Returns the next message. */
  async hears<Message = Record<string, unknown>>(): Promise<Message> {
    return JSON.parse(await this.line()) as Message;
  }

  /** Returns the next `count` bytes, or all remaining ones if there are fewer. */
  async bytes(count: number, onChunk: (chunk: Buffer) => void = () => {}): Promise<Buffer> {
    const chunks = [this.#take(Math.min(count, this.#rest.length))];
    for (let length = chunks[0]!.length; length < count; length += chunks.at(-1)!.length) {
      const chunk = await this.#more();
      if (chunk === undefined) break;
      onChunk(chunk);
      chunks.push(chunk);
    }
    const all = Buffer.concat(chunks);
    this.#rest = Buffer.concat([all.subarray(count), this.#rest]);
    return all.subarray(0, count);
  }

  /** Closes its reading end. */
  deafen(): void {
    this.#output.destroy();
  }

  async #more(): Promise<Buffer | undefined> {
    const { value, done } = await this.#chunks.next();
    return done === true ? undefined : value;
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }
}

/** A proxy in front of any agent. */
export class Proxy {
  readonly child: ChildProcessWithoutNullStreams;
  readonly editor: Side;
  stderr = '';
  /** Resolves with the exit code or the signal. */
  readonly ended: Promise<number | string>;

  constructor(place: Place, agent: readonly string[], flags: readonly string[] = []) {
    const words = [MAIN, 'acp', 'proxy', ...flags, '--', ...agent];
    this.child = spawn(process.execPath, words, { cwd: place.directory, env: place.env });
    this.editor = new Side(this.child.stdin, this.child.stdout);
    this.child.stderr.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()));
    this.ended = once(this.child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  }

  /** Resolves once stderr matches. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stderr);
      if (match) return match;
      await once(this.child.stderr, 'data');
    }
  }

  /** Its peak memory so far, in bytes (Linux only). */
  get peakBytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'latin1');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024;
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** A proxy in front of an agent that the test plays. */
export class ProxyWithFakeAgent extends Proxy {
  readonly #server: Server;
  #socket: Socket | undefined;
  #agent: Side | undefined;

  private constructor(place: Place, path: string, flags: readonly string[], server: Server) {
    super(place, [process.execPath, '-e', PUPPET, path], flags);
    this.#server = server;
  }

  static async start(place: Place, flags: readonly string[] = []): Promise<ProxyWithFakeAgent> {
    const path = join(place.directory, `agent-${count++}.sock`);
    const server = createServer().listen(path);
    await once(server, 'listening');
    const between = new ProxyWithFakeAgent(place, path, flags, server);
    const [socket] = (await once(server, 'connection')) as [Socket];
    between.#socket = socket;
    between.#agent = new Side(socket, socket);
    return between;
  }

  get agent(): Side {
    return this.#agent!;
  }

  /** For the SDK, which requires streams. */
  get agentSocket(): Socket {
    return this.#socket!;
  }

  override async close(): Promise<void> {
    this.#socket?.destroy();
    this.#server.close();
    await super.close();
  }
}

let count = 0;
