/**
 * The engine under test: the compiled code that is shipped, with the types of its sources. It measures
 * nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type * as AcpLibrary from '../src/acp.js';
import type * as Library from '../src/index.js';
import type * as OwnershipModule from '../src/host/ownership.js';
import type * as PtyModule from '../src/pty/pty.js';
import type { OutputPage, TerminalEvent, TerminalManager } from '../src/index.js';

const load = (path: string): Promise<unknown> => import(new URL(`../dist/${path}`, import.meta.url).href);

export const { LocalTerminalManager, RemoteTerminalManager } = (await load('index.js')) as typeof Library;
export const { AcpTerminals } = (await load('acp.js')) as typeof AcpLibrary;
export const { Pty } = (await load('pty/pty.js')) as typeof PtyModule;
export const { ownedSlots, ownerOf } = (await load('host/ownership.js')) as typeof OwnershipModule;

/** Often enough to be exact to a part in a thousand of what takes seconds, seldom enough to cost nothing. */
const LOOK_INTERVAL_MS = 2;

/** Waits for a program's end by looking at the list, which costs the engine nothing. */
export async function untilExited(manager: TerminalManager, id: string): Promise<void> {
  const isActive = async () => (await manager.list()).some((one) => one.id === id && one.status === 'active');
  while (await isActive()) await delay(LOOK_INTERVAL_MS);
}

/** Waits until the newest line reads `line`, and resolves to the page that showed it. */
export async function untilNewestLine(manager: TerminalManager, id: string, line: string): Promise<OutputPage> {
  let cursor: string | undefined;
  for (;;) {
    const since = cursor === undefined ? {} : { cursor };
    const page = await manager.read(id, { mode: 'tail', tailLines: 1, timeoutMs: 1000, ...since });
    if (page.output.trimEnd() === line) return page;
    cursor = page.cursor;
  }
}

/** Pulls events until output comes; resolves to how many bytes. */
export async function nextOutputBytes(events: AsyncIterator<TerminalEvent>): Promise<number> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) throw new Error('the terminal ended while output was awaited');
    if (next.value.type === 'output') return next.value.bytes.length;
  }
}
