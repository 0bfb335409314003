/** KILL: ends all processes in a terminal. Its output can be read until its number is reused. */
import { answer } from '../answer.js';
import type { ToolAnswer } from '../answer.js';
import type { ActionCall } from '../call.js';
import { nameOf } from '../workspace.js';
import { factsOfTerminal } from '../outcome.js';

export async function kill({ workspace, args }: ActionCall): Promise<ToolAnswer> {
  const target = await workspace.target(args);
  const wasActive = (await workspace.manager.get(target.id)).status === 'active';
  await workspace.manager.kill(target.id);
  const text = wasActive
    ? 'Ended. READ still returns its output.'
    : 'It had already ended. READ still returns its output.';
  return answer(text, { ...nameOf(target), id: target.id, ...(await factsOfTerminal(workspace.manager, target.id)) });
}
