/** The questions of programs, as the managers under test report them. */
import type { TerminalManager } from '../../src/contract/manager.js';
import type { OverviewTerminal } from '../../src/contract/overview.js';
import type { Question } from '../../src/contract/waiting.js';
import { eventually } from '../eventually.js';

export async function overviewOf(manager: TerminalManager, id: string): Promise<OverviewTerminal> {
  const [terminal] = await manager.overview({ ids: [id] });
  return terminal!;
}

/** Resolves to the question of a terminal as soon as it has one, other than the one with the id `after`. */
export function asked(manager: TerminalManager, id: string, after?: string): Promise<Question> {
  return eventually(
    async () => {
      const { waiting } = await overviewOf(manager, id);
      return waiting?.id === after ? null : waiting;
    },
    { missing: async () => `a question in ${JSON.stringify(await overviewOf(manager, id))}` },
  );
}

export async function untilAnswered(manager: TerminalManager, id: string): Promise<void> {
  await eventually(async () => (await overviewOf(manager, id)).waiting === null);
}

/** Collects what a viewer of the terminal is told about questions, from now on. */
export async function followQuestions(manager: TerminalManager, id: string): Promise<(Question | null)[]> {
  const told: (Question | null)[] = [];
  const subscription = await manager.subscribe(id, undefined, { viewer: { name: 'a test', role: 'viewer' } });
  void (async () => {
    for await (const event of subscription) if (event.type === 'waiting') told.push(event.waiting);
  })();
  await eventually(() => told.length > 0);
  return told;
}
