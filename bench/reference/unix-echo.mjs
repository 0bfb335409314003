/** Echoes what arrives on a Unix socket: the cost of one hop between processes. */
import { createServer } from 'node:net';

const server = createServer((socket) => void socket.pipe(socket));
server.listen(process.argv[2], () => process.stdout.write('ready\n'));
