/**
 * Records which servers are using a data directory, and their URLs. Each server has a file (0600) in the data
 * directory's `servers` folder, which commands read if they need a server's URL. The files contain no secrets.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeDirectory } from '../directory.js';

const runningServer = z.strictObject({ pid: z.int().positive(), url: z.url(), started: z.iso.datetime() });
export type RunningServer = z.infer<typeof runningServer>;

const FILE = /^\d+\.json$/;

/** Records this process as a server. Returns a function that removes the record. */
export function recordServer(dataDir: string, url: string): () => void {
  const folder = join(dataDir, 'servers');
  makeDirectory(folder);
  const path = join(folder, `${process.pid}.json`);
  const record: RunningServer = { pid: process.pid, url, started: new Date().toISOString() };
  writeFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Returns the servers whose processes exist, newest first. Removes the records of all others. */
export function runningServers(dataDir: string): RunningServer[] {
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
