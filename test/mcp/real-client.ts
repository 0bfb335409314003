/**
 * The agents from npm that use the MCP server: how each is started for one turn, where its configuration lies, and what
 * its model has to call first. It knows no script.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '../agents/conversation.js';

const MODULES = join(import.meta.dirname, '..', 'mcp-clients', 'node_modules');
const PROMPT = 'Go on.';

export interface RealClient {
  readonly name: string;
  /** A program, or a module of Node. */
  readonly program: string;
  /** For one turn in which nobody is asked. */
  readonly args: (modelUrl: string) => readonly string[];
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** The arguments of `tenacitty mcp install` that configure it in this home. */
  readonly install: (home: string) => readonly string[];
  /** What it wants to be configured besides. */
  readonly prepare?: (home: string, modelUrl: string) => void;
  /** What shows the model the tool, where it is told no more than its name at first. */
  readonly find?: Step;
}

const CLAUDE: RealClient = {
  name: 'Claude Code',
  program: '@anthropic-ai/claude-code-linux-x64/claude',
  args: () => ['-p', PROMPT, '--allowedTools', 'mcp__tenacitty__terminal'],
  env: (modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  install: () => ['claude'],
  find: { tool: /^ToolSearch$/, input: () => ({ query: 'select:mcp__tenacitty__terminal' }) },
};

const OPENCODE: RealClient = {
  name: 'opencode',
  program: 'opencode-linux-x64/bin/opencode',
  args: () => ['run', '--model', 'scripted/scripted', PROMPT],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  install: () => ['opencode'],
  prepare: (home, modelUrl) => {
    const model = { name: 'Scripted', tool_call: true };
    const options = { baseURL: `${modelUrl}/v1`, apiKey: 'none' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { scripted: model } };
    writeFileSync(join(home, 'opencode.json'), JSON.stringify({ provider: { scripted } }));
  },
};

export const CLIENTS = [CLAUDE, OPENCODE];

/** The words that start it. */
export function programOf({ name, program }: RealClient): string[] {
  const file = join(MODULES, program);
  if (!existsSync(file)) throw new Error(`${name} is not installed: node scripts/test-packages.mjs`);
  return /\.c?js$/.test(file) ? [process.execPath, file] : [file];
}
