/**
 * Starts a manager for each test, with its terminals in this process or in a host process, and provides ways to wait
 * for events in them.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import type { TerminalManager } from '../../src/contract/manager.js';
import type { TerminalEvent } from '../../src/contract/event.js';
import type { OutputPage, TerminalScreen } from '../../src/contract/output.js';
import type { CreateTerminal, TerminalDetail } from '../../src/contract/terminal.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import type { EngineOptions } from '../../src/contract/options.js';
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { eventually, PATIENCE_MS } from '../eventually.js';
import { clearSharedPlaces, endHosts, newPlaces, openManager, sharedPlaces } from '../host/host-under-test.js';

/** More than any test except those of floods prints in total. */
const NEWEST_LINES = 500;

export const BASH = {
  shell: '/bin/bash',
  args: ['--norc', '--noprofile'],
  env: { PS1: '$ ' },
} satisfies CreateTerminal;

/** Options that mean the same wherever the terminals are held. */
export type Limits = Partial<Omit<EngineOptions, 'log' | 'historyDir'>>;
export type StartManager = (limits?: Limits) => TerminalManager;

/**
 * All ways to hold terminals, for `describe.each`; the same tests apply to each. `npm run check` has no build, and so
 * no host.
 */
export const MANAGERS: readonly (readonly [where: string, start: StartManager])[] = [
  ['in this process', startEngine],
  ...(process.env['CHECK'] === '1' ? [] : [['in a host process', startInHost] as const]),
];

const managers: LocalTerminalManager[] = [];
/** A process that holds a file below one of these is a host, or was started by one. */
const hostRoots: string[] = [];

export function startEngine(options: Partial<EngineOptions> = {}): LocalTerminalManager {
  const manager = new LocalTerminalManager(options);
  managers.push(manager);
  return manager;
}

/** Starts a manager on the file's shared host; with limits, on its own host in its own directories. */
export function startInHost(limits: Limits = {}): RemoteTerminalManager {
  if (Object.keys(limits).length === 0) return openManager(sharedPlaces());
  const places = newPlaces();
  hostRoots.push(places.root);
  return openManager(places, { engine: limits });
}

/** For `afterEach`: ends everything that tests have started. Fails if a host is left. */
export async function stopEngines(): Promise<void> {
  await Promise.all(managers.splice(0).map((manager) => manager.shutdown(0)));
  await clearSharedPlaces();
  await endHosts();
  const roots = hostRoots.splice(0);
  const left = (): string[] => roots.flatMap(processesUsing);
  // A host that has handed over exits once it has been told of the end of its programs.
  await eventually(() => left().length === 0, { missing: () => `the end of the processes ${left().join(', ')}` });
}

/** Returns processes whose messages go to a file below a directory, as those of a host do. */
function processesUsing(root: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/fd/2`).startsWith(root);
    } catch {
      return false; // It ended meanwhile.
    }
  });
}

export function run(manager: TerminalManager, command: string, ...args: string[]): Promise<TerminalDetail> {
  return manager.create({ command, args });
}

/** Reads until `isEnough` holds for the newest lines; returns those. */
export async function readUntil(
  manager: TerminalManager,
  id: string,
  isEnough: (text: string, page: OutputPage) => boolean,
): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const page = await manager.read(id, { mode: 'tail', tailLines: NEWEST_LINES });
    if (isEnough(page.output, page)) return page.output;
    if (Date.now() > deadline) throw new Error(`Waited in vain; what was read:\n${page.output.slice(-2000)}`);
    await manager.read(id, { cursor: page.cursor, timeoutMs: 1000 });
  }
}

/** Returns the text once it contains `marker`. */
export function readUntilText(manager: TerminalManager, id: string, marker: string | RegExp): Promise<string> {
  return readUntil(manager, id, (text) => (typeof marker === 'string' ? text.includes(marker) : marker.test(text)));
}

/** Returns the screen once `isSo` holds for it. Checked again after each output. */
export async function screenUntil(
  manager: TerminalManager,
  id: string,
  isSo: (screen: TerminalScreen) => boolean,
): Promise<TerminalScreen> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { cursor } = await manager.read(id, { format: 'raw', since: Number.MAX_SAFE_INTEGER });
    const screen = await manager.screen(id);
    if (isSo(screen)) return screen;
    if (Date.now() > deadline) throw new Error(`Waited in vain; the screen shows:\n${screen.lines.join('\n')}`);
    await manager.read(id, { format: 'raw', cursor, timeoutMs: 1000 });
  }
}

/** Returns all text, once the program has ended. */
export function readUntilExit(manager: TerminalManager, id: string): Promise<string> {
  return readUntil(manager, id, (_, page) => !page.isActive);
}

/** Returns all bytes of a program's output, from first to last. */
export async function allBytes(manager: TerminalManager, id: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const event of await manager.subscribe(id, 0)) if (event.type === 'output') parts.push(event.bytes);
  return Buffer.concat(parts);
}

/** Returns events up to and including the first for which `isLast` holds. */
export async function eventsUntil<Event = TerminalEvent>(
  events: AsyncIterable<Event>,
  isLast: (event: Event) => boolean,
): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) {
    all.push(event);
    if (isLast(event)) break;
  }
  return all;
}
