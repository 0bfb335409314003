/** Tests terminals by name through the tool: those that a person or a script has named. */
import type { TerminalManager } from '../../src/contract/manager.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { connectTo } from './client.js';
import type { LocalAgent } from './client.js';

let manager: TerminalManager;
let agent: LocalAgent;
beforeEach(async () => {
  manager = startEngine({ defaultShell: '/bin/sh' });
  agent = await connectTo(manager, {});
});
afterEach(async () => {
  await agent.close();
  await stopEngines();
});

it('are accepted by every action instead of an id, and listed', async () => {
  const { id } = await manager.create({ shell: '/bin/sh', name: 'person-1' });
  const at = { id: 'person-1' };
  expect(await agent.call({ ...at, command: 'echo said' })).toMatchObject({ text: 'said', meta: { id, exit_code: 0 } });
  expect((await agent.call({ action: 'READ', ...at })).text).toBe('said');
  for (const action of ['SCREEN', 'WAIT']) expect((await agent.call({ action, ...at })).isError).not.toBe(true);
  const { text, meta } = await agent.call({ action: 'LIST', all: true });
  expect(meta['terminals']).toMatchObject([{ id, name: 'person-1' }]);
  expect(text).toContain(`id ${id} (person-1): free`);
  expect((await agent.call({ action: 'KILL', ...at })).meta).toMatchObject({ id, completed: true });
});

it('may belong to numbered terminals, which are reported by number', async () => {
  await agent.call({ terminal: 3, command: 'true' });
  const [own] = await manager.list();
  await manager.update(own!.id, { name: 'own' });
  expect((await agent.call({ id: 'own', command: 'echo mine' })).meta).toMatchObject({ terminal: 3 });
  expect((await agent.call({ action: 'LIST' })).text).toContain('terminal 3 (own): free');
});

it('that are unknown are refused with advice', async () => {
  expect(await agent.call({ id: 'nobody', command: 'true' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/nobody.*LIST/s) as string,
  });
});
