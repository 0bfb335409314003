/**
 * Managers over real host processes in directories of their own, and functions to disturb those hosts and to remove
 * them afterwards.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RemoteOptions } from '../../src/host/options.js';
import { ownedSlots, ownerOf } from '../../src/host/ownership.js';
import { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { prepareHostDirectory, socketPath } from '../../src/host/runtime-directory.js';
import { readProcess } from '../../src/processes/process-table.js';
import { BUILD } from '../build.js';
import { eventually } from '../eventually.js';

/** Compiled, because a host runs without a loader. */
export const HOST_MAIN = join(BUILD, 'host', 'main.js');

export interface Places {
  readonly root: string;
  readonly dataDir: string;
  readonly runtimeDir: string;
}

const roots: Places[] = [];
const managers: RemoteTerminalManager[] = [];

export function newPlaces(): Places {
  const places = makePlaces();
  roots.push(places);
  return places;
}

function makePlaces(): Places {
  const root = mkdtempSync(join(tmpdir(), 'tenacitty-host-'));
  return { root, dataDir: join(root, 'data'), runtimeDir: join(root, 'run') };
}

let shared: Places | undefined;
// `npm run docs` reads the cases of tests without running any.
if ('afterAll' in globalThis) {
  afterAll(async () => {
    if (shared !== undefined) roots.push(shared);
    await endHosts();
  });
}

/**
 * Places with a host shared by all tests of a file without special requirements; call `clearSharedPlaces` after each.
 */
export function sharedPlaces(): Places {
  return (shared ??= makePlaces());
}

/** Removes what tests have left there. The host keeps running. */
export async function clearSharedPlaces(): Promise<void> {
  if (shared === undefined) return;
  const manager = openManager(shared);
  await Promise.all((await manager.list()).map(({ id }) => manager.remove(id, { graceMs: 0 })));
}

export function openManager(places: Places, options: Partial<RemoteOptions> = {}): RemoteTerminalManager {
  const { dataDir, runtimeDir } = places;
  const manager = new RemoteTerminalManager({ dataDir, runtimeDir, hostProgram: [HOST_MAIN], ...options });
  managers.push(manager);
  return manager;
}

/** For `afterEach`: ends every host of every place created here, and removes the places. */
export async function endHosts(): Promise<void> {
  await Promise.all(managers.splice(0).map((manager) => manager.close()));
  for (const places of roots.splice(0)) {
    for (const pid of hostPids(places)) await endHost(pid, places);
    rmSync(places.root, { recursive: true, force: true });
  }
}

/** Shuts a host down, so that its terminals end too; resumes a stopped one first. */
async function endHost(pid: number, places: Places): Promise<void> {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has just ended by itself.
    return;
  }
  await openManager(places).shutdown(0);
  await untilGone(pid);
}

/** The pids of running hosts, by slot. */
export function hostPids(places: Places): number[] {
  const owners = ownedSlots(places).map((slot) => ownerOf(places, slot));
  return owners.flatMap((owner) => owner?.pid ?? []).filter((pid) => pid !== process.pid);
}

/** Kills with SIGKILL. */
export async function murder(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await untilGone(pid);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function untilGone(pid: number): Promise<void> {
  await eventually(() => readProcess(pid)?.isGone ?? true);
}

/** A raw connection to a host, to send what no regular client would. */
export async function bareSocket(places: Places, slot = 0): Promise<Socket> {
  const socket = connect(socketPath(prepareHostDirectory(places), slot));
  await once(socket, 'connect');
  return socket;
}

/** Returns everything received until the connection ends. */
export async function allFrom(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
