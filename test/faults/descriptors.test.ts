/**
 * Tests a host without free descriptors: operations that need one fail with a message, and everything that runs
 * continues.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { TerminalManager } from '../../src/contract/manager.js';
import { readUntilText } from '../engine/engine-under-test.js';
import { endHosts, hostPids, newPlaces, openManager } from '../host/host-under-test.js';
import { whereLinux } from '../where.js';
import { FAULT_TIMEOUT_MS, repeatedly } from './runs.js';

const { it } = whereLinux();

afterEach(() => endHosts());

function limitDescriptors(pid: number, most: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:4096`]);
}

/** Waits until the last typed or run command has ended. */
async function untilFree(manager: TerminalManager, id: string): Promise<void> {
  const { commandId } = (await manager.commands(id)).at(-1)!;
  expect(await manager.collect(id, commandId, { timeoutMs: 10_000 })).toMatchObject({ completed: true });
}

it(
  'keeps its terminals, and accepts commands again when there are descriptors',
  async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const shell = { shell: '/bin/bash', env: { HOME: places.root } };
    const { id, pid } = await manager.create(shell);
    await manager.exec(id, { command: 'kept=yes' });
    const [host] = hostPids(places);
    await repeatedly(async (run) => {
      const open = Math.max(...readdirSync(`/proc/${host}/fd`).map(Number)) + 1;
      limitDescriptors(host!, open);
      // Hooks, marks and input detection are all used while this runs and ends.
      await manager.write(id, { input: `echo run-$((${run}))-typed; cat /etc/hostname; true` });
      await readUntilText(manager, id, `run-${run}-typed`);
      await expect(manager.create(shell)).rejects.toMatchObject({ code: expect.any(String) });
      await Promise.allSettled([manager.exec(id, { command: `echo ${run}`, timeoutMs: 2000 }), manager.get(id)]);
      limitDescriptors(host!, 4096);
      await untilFree(manager, id);
      expect(hostPids(places)).toEqual([host]);
      expect(await manager.exec(id, { command: 'echo $kept-$$' })).toMatchObject({ output: `yes-${pid}`, exitCode: 0 });
    });
  },
  FAULT_TIMEOUT_MS,
);
