/** Groups the rows of the home page by namespace, if there are many. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { nameOf } from '../store/naming.js';

/** With more live terminals than this, the default layout is rows, which are grouped. */
export const MAX_TILES = 24;

export interface NamespaceGroup {
  /** Empty for terminals without a namespace; null if the rows are not grouped. */
  readonly namespace: string | null;
  readonly terminals: readonly OverviewTerminal[];
}

/** @param terminals - Sorted by namespace. */
export function groupsOf(terminals: readonly OverviewTerminal[]): NamespaceGroup[] {
  const groups = new Map<string, OverviewTerminal[]>();
  for (const terminal of terminals) {
    const { namespace } = nameOf(terminal);
    const group = groups.get(namespace);
    if (group === undefined) groups.set(namespace, [terminal]);
    else group.push(terminal);
  }
  if (terminals.length <= MAX_TILES || groups.size < 2) return [{ namespace: null, terminals }];
  return [...groups].map(([namespace, each]) => ({ namespace, terminals: each }));
}
