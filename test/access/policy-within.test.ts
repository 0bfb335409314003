/** Tests commands in a nested shell behind a policy: real shells, integrated there by another client. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import { policed } from '../../src/access/policy/policed-manager.js';
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-within-')));
const manager = new LocalTerminalManager({ killGraceMs: 300 });
afterAll(async () => {
  await manager.shutdown(0);
  rmSync(directory, { recursive: true, force: true });
});

it('is not understood there, and understood again after that shell has ended', async () => {
  const policy = createCommandPolicy({ allow: ['bash', 'true'] });
  const behind = policed(manager, policy, { door: 'library' });
  const { id } = await behind.create({ shell: '/bin/bash', cwd: directory });
  const refused = { code: 'COMMAND_DENIED', details: { rule: 'notUnderstood: deny' } };
  expect(await behind.exec(id, { command: 'true' })).toMatchObject({ exitCode: 0 });
  const { commandId } = await manager.exec(id, { command: 'bash --norc', detach: true });
  await expect(behind.exec(id, { command: 'true', timeoutMs: 100 })).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
  await manager.integrate(id, {});
  await expect(behind.exec(id, { command: 'true' })).rejects.toMatchObject(refused);
  expect(await manager.exec(id, { command: 'true' })).toMatchObject({ within: commandId });
  await expect(behind.exec(id, { command: 'true' })).rejects.toMatchObject(refused);
  await manager.exec(id, { command: 'exit', detach: true });
  await manager.collect(id, commandId, { timeoutMs: 10_000 });
  expect(await behind.exec(id, { command: 'true' })).toMatchObject({ exitCode: 0, within: null });
}, 60_000);
