/**
 * Records which servers are using a data directory, and their URLs. Each server has a file (0600) in the data
 * directory's `servers` folder, which commands read if they need a server's URL. The files contain no secrets.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type * as https from 'node:https';
import { join } from 'node:path';
import { z } from 'zod';
import { peerUid } from '../access/peer-uid.js';
import { makeDirectory } from '../directory.js';

const runningServer = z.strictObject({
  pid: z.int().positive(),
  url: z.url(),
  started: z.iso.datetime(),
  /** Whether other processes that use the data directory have the same terminals. */
  persistent: z.boolean(),
});
export type RunningServer = z.infer<typeof runningServer>;

const FILE = /^\d+\.json$/;
/** A server on a busy machine takes seconds; one that takes longer is of no use. */
const RESPONSE_MS = 10_000;

/** Records this process as a server. Returns a function that removes the record. */
export function recordServer(dataDir: string, { url, persistent }: Pick<RunningServer, 'url' | 'persistent'>) {
  const folder = join(dataDir, 'servers');
  makeDirectory(folder);
  const path = join(folder, `${process.pid}.json`);
  const record: RunningServer = { pid: process.pid, url, started: new Date().toISOString(), persistent };
  writeFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/**
 * Returns the URL of the newest running server that responds. Checks that it belongs to this user, because another user
 * may be listening on the port of a server that was killed.
 *
 * @param isMeant - Whether to consider a server. Default: all.
 */
export async function respondingServer(
  dataDir: string,
  isMeant: (server: RunningServer) => boolean = () => true,
): Promise<string | undefined> {
  for (const server of runningServers(dataDir)) if (isMeant(server) && (await isOwn(server.url))) return server.url;
  return undefined;
}

/** Returns the servers whose processes exist, newest first. Removes the records of all others. */
function runningServers(dataDir: string): RunningServer[] {
  const folder = join(dataDir, 'servers');
  const found = listed(folder).flatMap((name) => read(join(folder, name)));
  return found.sort((a, b) => (a.started < b.started ? 1 : -1));
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => FILE.test(name));
  } catch {
    return [];
  }
}

function read(path: string): RunningServer[] {
  try {
    const record = runningServer.parse(JSON.parse(readFileSync(path, 'utf8')));
    process.kill(record.pid, 0);
    return [record];
  } catch {
    // A server that was killed left it behind.
    rmSync(path, { force: true });
    return [];
  }
}

/**
 * Returns whether a process of this user responds at a URL. The kernel knows the owner of a connection only once it has
 * been accepted, so this waits for a response first. Where the kernel does not report the owner, a response suffices.
 */
async function isOwn(url: string): Promise<boolean> {
  const response = await responseOf(url);
  if (response === undefined) return false;
  try {
    const uid = await peerUid(response.socket);
    return uid === undefined ? process.platform !== 'linux' : uid === process.getuid?.();
  } finally {
    response.destroy();
  }
}

async function responseOf(url: string): Promise<IncomingMessage | undefined> {
  // Imported on demand, because most commands need neither.
  const used = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  const options = {
    ...{ timeout: RESPONSE_MS, agent: false },
    // The kernel reports the owner only while the connection is open.
    headers: { Connection: 'keep-alive' },
    // The owner is checked instead of the certificate, which may be for another name.
    rejectUnauthorized: false,
  };
  return new Promise((resolve) => {
    const request = (used as typeof https).get(url, options, resolve);
    request.once('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', () => resolve(undefined));
  });
}
