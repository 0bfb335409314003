/** Finds terminals by their names, labels, titles, programs and directories. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { wholeName } from '../store/naming.js';
import { expressionOf, type Pattern } from '../ui/matching.js';

function textOf(terminal: OverviewTerminal): string {
  const { id, labels, title, shell, cwd, lastCommand } = terminal;
  const labelTexts = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return [wholeName(terminal), id, ...labelTexts, title, shell, cwd ?? '', lastCommand?.text ?? ''].join('\n');
}

/** Expressions that the browser would take too long to match find no terminal. */
export function matchingTerminals(terminals: readonly OverviewTerminal[], pattern: Pattern | null): OverviewTerminal[] {
  const expression = pattern && expressionOf(pattern);
  if (expression === null) return [];
  return terminals.filter((terminal) => textOf(terminal).search(expression) >= 0);
}
