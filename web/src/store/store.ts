/**
 * The page's only store: holds all terminals, filled from the overview and then kept current by events. All views
 * derive from it.
 */
import { computed, signal } from '@preact/signals';
import { ApiError } from 'tenacitty/client';
import { client, forget } from '../access.js';
import { changed, fleetOf, type Fleet } from './fleet.js';
import { inPlace } from './naming.js';
import { asks } from './state-of.js';

const MAX_LINES_OF = 100;
const PAGE = 500;

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

async function readAll(): Promise<void> {
  const all = [];
  let after: string | undefined;
  do {
    const page = await client.overview({ limit: PAGE, ...(after !== undefined && { after }) });
    all.push(...page.terminals);
    after = page.hasMore ? page.terminals.at(-1)?.terminalId : undefined;
  } while (after !== undefined);
  fleet.value = fleetOf(all);
  isKnown.value = true;
}

/**
 * Applies events until the signal is aborted. If `inView` changes in the meantime, `feed` aborts this and starts it
 * anew.
 */
async function follow(abort: AbortSignal, lines: readonly string[]): Promise<void> {
  const onState = (state: 'open' | 'lost'): void => {
    connection.value = state;
    // The stream has no events from before it began, so the overview must be read again.
    if (state === 'open') void readAll().catch(noteFailure);
  };
  for await (const { event } of client.events({ lines, signal: abort, onState })) {
    if (event.type === 'reset') void readAll().catch(noteFailure);
    else fleet.value = changed(fleet.peek(), event);
  }
}

function noteFailure(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) forget();
  else connection.value = 'lost';
}

/** Keeps the store current while someone is signed in. Returns a function that stops it. */
export function feed(): () => void {
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
    if (!document.hidden) now.value = Date.now();
    check();
  }, 1000);
  restart();
  return () => {
    clearInterval(timer);
    abort.abort();
  };
}
