/** The only store: all terminals, fed by the overview and then by the events. Views are functions of it. */
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
/** The time, once a second while the page is shown: running clocks depend on it. */
export const now = signal(Date.now());
/** Ids of terminals whose last lines are in view. */
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

/** Follows the events until the signal is aborted; `inView` may change in the meantime, see `feed`. */
async function follow(abort: AbortSignal, lines: readonly string[]): Promise<void> {
  const onState = (state: 'open' | 'lost'): void => {
    connection.value = state;
    // What happened before the stream began is in no event.
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

/** Feeds the store while someone is signed in. Returns a function that stops this. */
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
