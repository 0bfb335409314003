/** Decides how terminals are named and in which order they are shown. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';

type Named = Pick<OverviewTerminal, 'id' | 'name' | 'labels' | 'shell' | 'created' | 'cwd'>;

export interface ShownName {
  /** The less prominent part of the name; may be empty. */
  readonly namespace: string;
  readonly own: string;
}

const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Returns untrusted text as one line, without characters that could reorder the text around it. */
export const plain = (text: string): string => text.replace(UNSHOWN, ' ').trim();

const lastPart = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path;

export function nameOf(terminal: Named): ShownName {
  const { labels, name, shell, cwd } = terminal;
  const namespace = plain(labels['mcp.namespace'] ?? '');
  const number = plain(labels['mcp.number'] ?? '');
  if (labels['name'] !== undefined) return { namespace: '', own: plain(labels['name']) };
  if (namespace !== '' && number !== '') return { namespace, own: number };
  if (name !== null) return { namespace: '', own: name };
  return { namespace, own: plain(`${lastPart(shell)}${cwd === null ? '' : ` in ${lastPart(cwd)}`}`) };
}

export function wholeName(terminal: Named): string {
  const { namespace, own } = nameOf(terminal);
  return namespace === '' ? own : `${namespace} ${own}`;
}

// Much faster than `localeCompare`, and all terminals are sorted after each change.
const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * Sorts by namespace, then by name. Terminals without a namespace come last, oldest first. Ignores the state, so that a
 * terminal never moves when its state changes.
 */
export function inPlace<Terminal extends Named>(terminals: readonly Terminal[]): Terminal[] {
  const keyed = terminals.map((terminal) => ({ terminal, ...nameOf(terminal) }));
  keyed.sort(
    (a, b) =>
      Number(a.namespace === '') - Number(b.namespace === '') ||
      compare(a.namespace, b.namespace) ||
      (a.namespace === '' ? 0 : compare(a.own, b.own)) ||
      compare(a.terminal.created, b.terminal.created) ||
      compare(a.terminal.id, b.terminal.id),
  );
  return keyed.map(({ terminal }) => terminal);
}
