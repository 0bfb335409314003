/** The engine under test: the compiled code that is shipped, with the types of its sources. Measures nothing. */
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

/** Frequent enough for a precision of one part in a thousand on runs of seconds, rare enough to cost nothing. */
const LOOK_INTERVAL_MS = 2;

/** Waits for a program's end by polling the list, which costs the engine nothing. */
export async function untilExited(manager: TerminalManager, id: string): Promise<void> {
  const isActive = async () => (await manager.list()).some((one) => one.id === id && one.status === 'active');
  while (await isActive()) await delay(LOOK_INTERVAL_MS);
}

/** Waits until the newest line equals `line`; resolves with the page that contained it. */
export async function untilNewestLine(manager: TerminalManager, id: string, line: string): Promise<OutputPage> {
  let cursor: string | undefined;
  for (;;) {
    const since = cursor === undefined ? {} : { cursor };
    const page = await manager.read(id, { mode: 'tail', tailLines: 1, timeoutMs: 1000, ...since });
    if (page.output.trimEnd() === line) return page;
    cursor = page.cursor;
  }
}

/** Reads events until there is output; resolves with the number of bytes. */
export async function nextOutputBytes(events: AsyncIterator<TerminalEvent>): Promise<number> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) throw new Error('the terminal ended while output was awaited');
    if (next.value.type === 'output') return next.value.bytes.length;
  }
}
