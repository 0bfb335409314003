/** Decides which terminals the home page shows, according to the filters in the URL. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { stateOf, type Kind } from '../store/state-of.js';

export type StateFilter = Kind | 'all' | 'failed';
export type Query = Readonly<Record<string, string>>;

export const STATES: readonly (readonly [StateFilter, string])[] = [
  ['all', 'All'],
  ['waiting', 'Needs you'],
  ['running', 'Running'],
  ['prompt', 'At prompt'],
  ['ended', 'Ended'],
  ['lost', 'Lost'],
  ['failed', 'Failed'],
];

export function stateFilterIn({ state = 'all' }: Query): StateFilter {
  return STATES.find(([name]) => name === state)?.[0] ?? 'all';
}

function isIn(terminal: OverviewTerminal, filter: StateFilter): boolean {
  if (filter === 'all') return true;
  const shown = stateOf(terminal, 0);
  return filter === 'failed' ? shown.isBad : shown.kind === filter;
}

/** Returns whether a terminal matches all filters other than the state. */
function fits(
  { labels, holder }: OverviewTerminal,
  { namespace = '', label = '', holder: wanted = '' }: Query,
): boolean {
  const [name = '', value = ''] = splitLabel(label);
  return (
    (namespace === '' || labels['mcp.namespace'] === namespace) &&
    (label === '' || labels[name] === value) &&
    (wanted === '' || holder?.name === wanted)
  );
}

function splitLabel(label: string): [string, string] {
  const place = label.indexOf('=');
  return place < 0 ? [label, ''] : [label.slice(0, place), label.slice(place + 1)];
}

export function filtered(terminals: readonly OverviewTerminal[], query: Query): OverviewTerminal[] {
  const state = stateFilterIn(query);
  return terminals.filter((each) => fits(each, query) && isIn(each, state));
}

/** Returns how many of the terminals that match the other filters are in each state. */
export function countsOf(terminals: readonly OverviewTerminal[], query: Query): ReadonlyMap<StateFilter, number> {
  const rest = terminals.filter((each) => fits(each, query));
  return new Map(STATES.map(([name]) => [name, rest.filter((each) => isIn(each, name)).length]));
}

/** Returns the choices for each filter: every namespace, label and holder that exists. */
export function choicesOf(terminals: readonly OverviewTerminal[]) {
  const sorted = (values: (string | undefined)[]): string[] =>
    [...new Set(values.filter((each): each is string => each !== undefined && each !== ''))].sort();
  return {
    namespace: sorted(terminals.map(({ labels }) => labels['mcp.namespace'])),
    label: sorted(terminals.flatMap(({ labels }) => Object.entries(labels).map(([name, value]) => `${name}=${value}`))),
    holder: sorted(terminals.map(({ holder }) => holder?.name)),
  };
}
