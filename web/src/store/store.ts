/**
 * The page's only store: holds all terminals, filled from the overview and then kept current by events. All views
 * derive from it.
 */
import { computed, signal } from '@preact/signals';
import { ApiError } from 'tenacitty/client';
import type { ManagerEvent, TerminalChange } from '../../../src/contract/watch.js';
import { client, forget } from '../access.js';
import { changed, fleetOf, withDetails, type Fleet } from './fleet.js';
import { inPlace } from './naming.js';
import { asks } from './state-of.js';

const MAX_LINES_OF = 100;
const PAGE = 500;
const DETAILS_MAX_AGE_MS = 5000;

export const fleet = signal<Fleet>(new Map());
/** Whether the first overview has arrived. */
export const isKnown = signal(false);
export const connection = signal<'open' | 'lost' | 'none'>('none');
/** The current time, updated every second while the page is visible, for running clocks. */
export const now = signal(Date.now());
/** Ids of the terminals whose last lines are in view. */
export const inView = signal<readonly string[]>([]);

export const terminals = computed(() => inPlace([...fleet.value.values()]));
export const needing = computed(() =>
  terminals.value
    .filter(({ status, waiting }) => status === 'active' && asks(waiting))
    .sort((a, b) => a.waiting!.since.localeCompare(b.waiting!.since)),
);

const listeners = new Set<(event: ManagerEvent) => void>();

/** Calls a listener with each event, and with `reset` when all terminals have been read again. */
export function onEvent(listener: (event: ManagerEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(event: ManagerEvent): void {
  for (const listener of listeners) listener(event);
}

/** For each overview that is being read, the events since it was asked for, which may be newer. */
const reads = new Set<ManagerEvent[]>();

async function readAll(): Promise<void> {
  const since: ManagerEvent[] = [];
  reads.add(since);
  try {
    const all = [];
    let after: string | undefined;
    do {
      const page = await client.overview({ limit: PAGE, ...(after !== undefined && { after }) });
      all.push(...page.terminals);
      after = page.hasMore ? page.terminals.at(-1)?.terminalId : undefined;
    } while (after !== undefined);
    fleet.value = since.reduce(changed, fleetOf(all));
  } finally {
    reads.delete(since);
  }
  isKnown.value = true;
  tell({ type: 'reset' });
}

/** Events with lines, by terminal, that the next frame shows: many terminals send them at the same time. */
const lineEvents = new Map<string, ManagerEvent>();

function showLines(): void {
  fleet.value = [...lineEvents.values()].reduce(changed, fleet.peek());
  lineEvents.clear();
}

function take(event: TerminalChange): void {
  for (const since of reads) since.push(event);
  if (event.type !== 'lines') fleet.value = changed(fleet.peek(), event);
  else {
    if (lineEvents.size === 0) requestAnimationFrame(showLines);
    lineEvents.set(event.terminalId, event);
  }
  if (event.type === 'lines' || event.type === 'command' || event.type === 'created') stale.add(event.terminalId);
  tell(event);
}

/** Terminals in which something happened since their details were read. */
const stale = new Set<string>();
let refreshed = 0;

/** Reads the details of terminals that no event reports, such as ports, if something has happened in them. */
async function refreshDetails(): Promise<void> {
  if (stale.size === 0 || Date.now() - refreshed < DETAILS_MAX_AGE_MS) return;
  refreshed = Date.now();
  const ids = [...stale].slice(0, MAX_LINES_OF);
  for (const id of ids) stale.delete(id);
  const { terminals: read } = await client.overview({ ids });
  fleet.value = read.reduce(withDetails, fleet.peek());
}

/** The last event that has been taken, after which a new connection continues. */
let cursor: string | undefined;

/**
 * Applies events until the signal is aborted. If `inView` changes in the meantime, `feed` aborts this and starts it
 * anew.
 */
async function follow(abort: AbortSignal, lines: readonly string[]): Promise<void> {
  const onState = (state: 'open' | 'lost'): void => {
    connection.value = state;
    // The stream has no events from before it began, so the overview must be read.
    if (state === 'open' && cursor === undefined) void readAll().catch(noteFailure);
  };
  const options = { lines, signal: abort, onState, ...(cursor !== undefined && { after: cursor }) };
  for await (const { cursor: seen, event } of client.events(options)) {
    cursor = seen;
    if (event.type === 'reset') void readAll().catch(noteFailure);
    else take(event);
  }
}

function noteFailure(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) forget();
  else connection.value = 'lost';
}

/** Keeps the store current while someone is signed in. Returns a function that stops it. */
export function feed(): () => void {
  cursor = undefined;
  let abort = new AbortController();
  let asked = '';
  const restart = (): void => {
    abort.abort();
    abort = new AbortController();
    const lines = document.hidden ? [] : inView.peek().slice(0, MAX_LINES_OF);
    asked = lines.join();
    follow(abort.signal, lines).catch(noteFailure);
  };
  const check = (): void => {
    if (asked !== (document.hidden ? '' : inView.peek().slice(0, MAX_LINES_OF).join())) restart();
  };
  const timer = setInterval(() => {
    if (!document.hidden) {
      now.value = Date.now();
      // A lost connection is noted by the stream.
      void refreshDetails().catch(() => {});
    }
    check();
  }, 1000);
  restart();
  return () => {
    clearInterval(timer);
    abort.abort();
  };
}
