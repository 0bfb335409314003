/**
 * One terminal over a WebSocket in a server process of its own: of tenacitty, or of the bare reference. The client holds
 * the terminal and keeps up with it. Measures nothing.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { LIVE_OFFSET_BYTES, LIVE_PROTOCOL, type LiveMessage } from '../src/contract/live.js';
import { ServerProcess } from './server-process.js';

export type LiveServer = 'tenacitty' | 'bare';

const BARE = [process.execPath, fileURLToPath(new URL('reference/ws-pty.mjs', import.meta.url))];
/** How often the client reports what it has drawn: less than the 32 KiB below which the program continues. */
const DRAWN_STEP_BYTES = 16 << 10;

export interface LiveTerminal {
  /** Called for each piece of output, with its size and the number of bytes that were left out before it. */
  onOutput: (bytes: number, missed: number) => void;
  type(text: string): void;
  /** The processes of the server and its hosts. */
  pids(): number[];
  end(): Promise<void>;
}

/** Starts a script in a terminal; resolves when the client is connected. */
export function openLiveTerminal(where: LiveServer, script: string): Promise<LiveTerminal> {
  return where === 'bare' ? openBare(script) : openLive(script);
}

async function openBare(script: string): Promise<LiveTerminal> {
  const server = await ServerProcess.start(BARE);
  const socket = await connected(`${server.url}/?script=${encodeURIComponent(script)}`);
  const terminal: LiveTerminal = {
    ...endsOf(server, socket),
    onOutput: () => {},
    type: (text) => socket.send(text),
  };
  socket.on('message', (data: Buffer) => terminal.onOutput(data.length, 0));
  return terminal;
}

async function openLive(script: string): Promise<LiveTerminal> {
  const server = await ServerProcess.start();
  const id = await server.createTerminal({ command: '/bin/sh', args: ['-c', script] });
  const socket = await connected(`${server.url}/api/terminals/${id}/live?from=0`, LIVE_PROTOCOL);
  const say = (message: object): void => socket.send(JSON.stringify(message));
  let seq = 0;
  const terminal: LiveTerminal = {
    ...endsOf(server, socket),
    onOutput: () => {},
    type: (text) => say({ type: 'input', seq: ++seq, text }),
  };
  say({ type: 'control', action: 'take' });
  let drawn = 0;
  const takeOutput = (data: Buffer): void => {
    const bytes = data.length - LIVE_OFFSET_BYTES;
    const end = Number(data.readBigUInt64BE()) + bytes;
    if (end - drawn >= DRAWN_STEP_BYTES) say({ type: 'drawn', offset: (drawn = end) });
    terminal.onOutput(bytes, 0);
  };
  const take = (message: LiveMessage): void => {
    if (message.type === 'gap') terminal.onOutput(0, message.to - message.from);
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) takeOutput(data);
    else take(JSON.parse(data.toString()) as LiveMessage);
  });
  return terminal;
}

/** The terminal and its hosts end with the server. */
function endsOf(server: ServerProcess, socket: WebSocket): Pick<LiveTerminal, 'pids' | 'end'> {
  return {
    pids: () => [server.pid, ...server.hosts.pids()],
    async end() {
      socket.terminate();
      await server.stop();
    },
  };
}

async function connected(url: string, protocol?: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws'), protocol, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}
