/**
 * Tests that output printed while a person types a line can harm at most its own terminal, never the host with all
 * others.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transcript } from '../../src/transcript/transcript.js';
import { BASH, MANAGERS, readUntilText, startEngine, stopEngines } from './engine-under-test.js';

afterEach(stopEngines);
afterEach(() => jest.restoreAllMocks());

describe.each(MANAGERS)('%s, costly output after a prompt does not block others', (_where, start) => {
  it.each(['200000@', '4000000000@', '4000000000C', '4000000000P'])('CSI %s', async (sequence) => {
    const manager = start();
    const cwd = mkdtempSync(join(tmpdir(), 'tenacitty-echo-'));
    const other = await manager.create({ ...BASH, cwd });
    const { id } = await manager.create({ shell: '/bin/dash', cwd });
    await manager.exec(id, { command: `mkfifo go; (read go < go; printf '\\033[${sequence}beh''ind') &` });
    await manager.write(other.id, { input: 'echo > go' });
    await readUntilText(manager, id, 'behind');
    await manager.write(id, { input: 'echo ty""ped' });
    await readUntilText(manager, id, 'typed');
    await manager.collect(id, 2, { timeoutMs: 10_000 });
    const { output, exitCode } = await manager.exec(id, { command: 'echo next; (exit 3)' });
    expect({ output: output.trim(), exitCode }).toEqual({ output: 'next', exitCode: 3 });
    expect((await manager.get(other.id)).status).toBe('active');
  });
});

it('an internal error while processing output ends only that terminal, with an entry in the log', async () => {
  const logged: string[] = [];
  const manager = startEngine({ log: (level, message) => logged.push(`${level}: ${message}`) });
  const other = await manager.create(BASH);
  await readUntilText(manager, other.id, '$ ');
  const append = jest.spyOn(Transcript.prototype, 'append');
  append.mockImplementationOnce(() => {
    throw new RangeError('Invalid array length');
  });
  const { id } = await manager.create({ command: '/bin/sh', args: ['-c', 'trap "" HUP TERM; echo out; sleep 1000'] });
  await manager.wait(id, {});
  expect(await manager.get(id)).toMatchObject({ status: 'exited', endedBy: { reason: 'unknown' } });
  expect(logged).toContain('error: Output could not be processed; the terminal is ended');
  expect((await manager.get(other.id)).status).toBe('active');
});
