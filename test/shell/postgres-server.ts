/**
 * As much of a PostgreSQL server as psql needs to reach its prompt: it asks for a password, accepts any, and supports
 * no queries.
 */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';

export interface PostgresServer {
  /** Ends it and all connections to it. */
  stop(): void;
}

/** psql finds it by the directory of its socket, given as the host. */
export async function startPostgresServer(directory: string): Promise<PostgresServer> {
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.once('data', () => logIn(connection));
  });
  await new Promise<void>((resolve) => server.listen(join(directory, '.s.PGSQL.5432'), resolve));
  const stop = (): void => {
    server.close();
    for (const connection of connections) connection.destroy();
  };
  return { stop };
}

const CLEARTEXT_PASSWORD = 3;
const OK = 0;

function logIn(connection: Socket): void {
  connection.write(message('R', number(CLEARTEXT_PASSWORD)));
  connection.once('data', () => {
    const version = message('S', Buffer.from('server_version\x0015.0\x00'));
    connection.write(Buffer.concat([message('R', number(OK)), version, message('Z', Buffer.from('I'))]));
  });
}

/** Formats a message: its kind, its length without the kind, and its body. */
function message(kind: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), number(body.length + 4), body]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
