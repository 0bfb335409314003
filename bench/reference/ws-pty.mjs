/** The minimum for a terminal over WebSocket: `ws` and node-pty, without history, screen, limits and credentials. */
import { spawn } from '@lydell/node-pty';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket, request) => {
  const script = new URL(request.url, 'http://127.0.0.1').searchParams.get('script');
  const pty = spawn('/bin/sh', ['-c', script], { cols: 80, rows: 24, encoding: null });
  pty.onData((bytes) => socket.send(bytes));
  socket.on('message', (text) => pty.write(text.toString()));
  socket.on('close', () => pty.kill('SIGKILL'));
});
server.on('listening', () => process.stderr.write(`ws is at http://127.0.0.1:${server.address().port}\n`));
