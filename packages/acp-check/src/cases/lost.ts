/**
 * Checks what happens to commands when the connection ends. These cases start the commands; the checker observes
 * whether they are gone.
 */
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import type { CaseContext } from '../case-context.js';
import { DEAF, TREE, TREE_SIZE } from './kill.js';

/** A case that leaves processes behind. */
export interface LeavingCase extends Case {
  readonly moment: 'after' | 'lost';
  leave(context: CaseContext): Promise<readonly number[]>;
}

type Given = Pick<LeavingCase, 'name' | 'rule' | 'moment'> & { readonly script: string; readonly count: number };

function leaving({ script, count, ...given }: Given): LeavingCase {
  const leave = async (context: CaseContext) => (await context.shell(script)).pids(count);
  return {
    ...given,
    level: 'advice',
    source: SOURCE.silent,
    leave,
    run: async (context) => void (await leave(context)),
  };
}

export const LOST_CASES: readonly LeavingCase[] = [
  leaving({
    name: 'lost-unreleased',
    rule: 'commands not released when the session ends are ended, with all processes they started',
    moment: 'after',
    script: TREE,
    count: TREE_SIZE,
  }),
  leaving({
    name: 'lost-deaf',
    rule: 'unreleased commands that ignore SIGTERM and SIGHUP are also ended',
    moment: 'after',
    script: DEAF,
    count: 1,
  }),
  leaving({
    name: 'lost-agent',
    rule: 'when an agent dies during a turn, its commands are ended, with all processes they started',
    moment: 'lost',
    script: TREE,
    count: TREE_SIZE,
  }),
];
