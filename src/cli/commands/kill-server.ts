/** `tenacitty kill-server`: ends the host processes and all their terminals. */
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { resolveOptions } from '../../config.js';
import { endHosts, listHosts } from '../../engine.js';
import type { HostStatus } from '../../engine.js';
import { TerminalError } from '../../errors.js';
import type { ParsedCall } from '../command.js';
import { FAILED, OK } from '../exit-code.js';
import { usageError } from '../parse.js';
import { printMessage } from '../stdout.js';
import type { KILL_SERVER_FLAGS } from '../flags/upkeep.js';

/** Maximum time between a host's response and its exit, which it needs to save what is not on disk yet. */
const END_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;

export async function killServer({ flags, settings }: ParsedCall<typeof KILL_SERVER_FLAGS>): Promise<number> {
  const { options } = resolveOptions({ argv: settings, isServing: false });
  const hosts = await listHosts(options);
  if (hosts.length === 0) {
    printMessage('no host process is running');
    return OK;
  }
  const what = describeHosts(hosts);
  if (!flags.yes && !(await isMeant(`End ${what}?`))) {
    printMessage('nothing was ended');
    return FAILED;
  }
  await endHosts(options);
  const remaining = await remainingOf(hosts);
  if (remaining.length > 0)
    throw new TerminalError('HOST_UNRESPONSIVE', `Host processes still running: pid ${remaining.join(', ')}`);
  printMessage(`ended ${what}`);
  return OK;
}

function describeHosts(hosts: readonly HostStatus[]): string {
  const terminals = hosts.reduce((sum, { load }) => sum + (load?.active ?? 0), 0);
  return `${counted(hosts.length, 'host process', 'es')} with ${counted(terminals, 'running terminal', 's')}`;
}

function counted(count: number, noun: string, plural: string): string {
  return `${count} ${noun}${count === 1 ? '' : plural}`;
}

async function isMeant(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw usageError(
      { name: 'kill-server' },
      'Cannot ask for confirmation without a terminal; --yes ends all terminals without asking.',
    );
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test(await prompt.question(`${question} [y/N] `));
  } catch {
    // Ctrl-C and Ctrl-D count as "no".
    return false;
  } finally {
    prompt.close();
  }
}

async function remainingOf(hosts: readonly HostStatus[]): Promise<number[]> {
  const pids = hosts.flatMap(({ pid }) => pid ?? []);
  const deadline = performance.now() + END_WITHIN_MS;
  while (pids.some(runs) && performance.now() < deadline) await pause(LOOK_EVERY_MS);
  return pids.filter(runs);
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
