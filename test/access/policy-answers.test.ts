/** Tests that answers to questions are judged as other input: a policy that denies input denies them. */
import { policed } from '../../src/access/policy/policed-manager.js';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import type { CommandPolicyDescription } from '../../src/access/policy/policy-description.js';
import { asked } from '../conformance/asked.js';
import { error } from '../conformance/error.js';
import { readUntilText, run, startEngine, stopEngines } from '../engine/engine-under-test.js';

afterEach(stopEngines);

/** A program that runs the line that it asks for. */
const ASK_FOR_A_COMMAND = ['-c', 'read -p "Command? " line; eval "$line"; exec sleep 1000'];

it.each<[string, CommandPolicyDescription, boolean]>([
  ['denied typing: refused', { input: 'deny' }, false],
  ['a list of programs: refused', { allow: ['bash'] }, false],
  ['allowed typing: typed', { allow: ['bash'], input: 'allow' }, true],
])('an answer, under a policy with %s', async (_what, description, isAllowed) => {
  const manager = startEngine();
  const behind = policed(manager, createCommandPolicy(description), { door: 'library' });
  const { id } = await run(manager, 'bash', ...ASK_FOR_A_COMMAND);
  const { id: waiting } = await asked(behind, id);
  const answers = [{ text: 'echo run' }, { keys: ['enter'] }];
  if (!isAllowed) {
    for (const answer of answers)
      await expect(behind.answer(id, { waiting, ...answer })).rejects.toEqual(error('COMMAND_DENIED'));
    expect(await manager.get(id)).toMatchObject({ inputCount: 0, status: 'active' });
    return;
  }
  await behind.answer(id, { waiting, ...answers[0]! });
  await readUntilText(manager, id, /^run/m);
});
