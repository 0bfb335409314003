/**
 * Agents from npm that use the MCP server: how to start each for one turn, where its configuration is, and what its
 * model must call first.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelStep } from '../agents/conversation.js';

const MODULES = join(import.meta.dirname, '..', 'mcp-clients', 'node_modules');
const PROMPT = 'Go on.';

export interface RealClient {
  readonly name: string;
  /** A program, or a module of Node. */
  readonly program: string;
  /** Arguments for one turn without questions. */
  readonly args: (modelUrl: string) => readonly string[];
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** The arguments of `tenacitty mcp install` that configure it in this home directory. */
  readonly install: (home: string) => readonly string[];
  /** Writes its further configuration. */
  readonly prepare?: (home: string, modelUrl: string) => void;
  /** How the model looks up the tool, if it only gets the tool's name at first. */
  readonly find?: ModelStep;
  /** How the model calls the tool, if not by the tool's own name. */
  readonly call?: (input: Readonly<Record<string, unknown>>) => ModelStep;
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

const CODEX: RealClient = {
  name: 'Codex',
  program: '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
  args: (modelUrl) => {
    const provider = `{ name = "Scripted", base_url = "${modelUrl}/v1", wire_api = "responses" }`;
    const settings = [
      'model=scripted',
      'model_provider=scripted',
      `model_providers.scripted=${provider}`,
      'mcp_servers.tenacitty.default_tools_approval_mode="approve"',
    ];
    return ['exec', '--skip-git-repo-check', ...settings.flatMap((setting) => ['-c', setting]), PROMPT];
  },
  env: () => ({}),
  install: () => ['codex'],
};

const GEMINI: RealClient = {
  name: 'Gemini CLI',
  program: '@google/gemini-cli/bundle/gemini.js',
  args: () => ['--yolo', '-p', PROMPT],
  env: (modelUrl) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  install: () => ['gemini'],
  prepare: (home) => writeSettings(join(home, '.gemini'), 'gemini-api-key'),
};

const QWEN: RealClient = {
  name: 'Qwen Code',
  program: '@qwen-code/qwen-code/cli-entry.js',
  args: () => ['--yolo', '-p', PROMPT],
  env: (modelUrl) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'scripted' }),
  // The format is the same.
  install: (home) => ['claude-desktop', '--file', join(home, '.qwen', 'settings.json')],
  prepare: (home) => writeSettings(join(home, '.qwen'), 'openai'),
  find: { tool: /^tool_search$/, input: () => ({ query: 'select:mcp__tenacitty__terminal' }) },
  call: (input) => ({
    tool: /^tool_call$/,
    input: () => ({ name: 'mcp__tenacitty__terminal', arguments: input }),
  }),
};

export const CLIENTS = [CLAUDE, OPENCODE, CODEX, GEMINI, QWEN];

function writeSettings(directory: string, selectedType: string): void {
  mkdirSync(directory);
  writeFileSync(join(directory, 'settings.json'), JSON.stringify({ security: { auth: { selectedType } } }));
}

/** Returns the command line that starts it. */
export function programOf({ name, program }: RealClient): string[] {
  const file = join(MODULES, program);
  if (!existsSync(file)) throw new Error(`${name} is not installed: node scripts/test-packages.mjs`);
  return /\.c?js$/.test(file) ? [process.execPath, file] : [file];
}
