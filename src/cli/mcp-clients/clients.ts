/**
 * Lists the supported clients: where each one configures MCP servers, and what an entry looks like. Links lead to the
 * clients' documentation. Pure.
 */
import { join } from 'node:path';
import type { McpClientName } from '../flags/mcp.js';
import type { Entry, ConfigFormat } from './format.js';
import { jsonFormat } from './json-format.js';
import type { ServerCommand } from './server-command.js';
import type { UserContext } from './user-context.js';
import { tomlFormat } from './toml-format.js';

export interface McpClient {
  /** The name that is shown to people. */
  readonly title: string;
  readonly format: ConfigFormat;
  /** The key that contains the servers. */
  readonly container: string;
  readonly entry: (command: ServerCommand) => Entry;
  readonly userFile: (where: UserContext) => string;
  /** Relative to the project's directory; null if the client has no project configuration. */
  readonly projectFile: string | null;
  /** What makes the change take effect, as a message to the person. */
  readonly next: string;
}

const PLAIN_JSON = { format: jsonFormat, container: 'mcpServers', entry: plain } as const;

export const CLIENTS: Readonly<Record<McpClientName, McpClient>> = {
  // https://code.claude.com/docs/en/mcp (scopes; the entry is the one that `claude mcp add-json` writes). If
  // CLAUDE_CONFIG_DIR is set, the user's file is in that directory.
  claude: {
    ...PLAIN_JSON,
    title: 'Claude Code',
    entry: stdio,
    userFile: ({ env, home }) => join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    projectFile: '.mcp.json',
    next: 'It takes effect the next time claude starts; /mcp in claude shows it.',
  },
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers. The path on Linux is the usual one for Electron
  // applications.
  'claude-desktop': {
    ...PLAIN_JSON,
    title: 'Claude Desktop',
    userFile: (where) => join(applicationSupport(where), 'Claude', 'claude_desktop_config.json'),
    projectFile: null,
    next: 'Quit Claude Desktop and start it again.',
  },
  // https://cursor.com/docs/mcp
  cursor: {
    ...PLAIN_JSON,
    title: 'Cursor',
    entry: stdio,
    userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: join('.cursor', 'mcp.json'),
    next: 'Cursor asks whether to enable it, or lists it under Customize > MCPs.',
  },
  // https://code.visualstudio.com/docs/agents/reference/mcp-configuration
  vscode: {
    title: 'VS Code',
    format: jsonFormat,
    container: 'servers',
    entry: stdio,
    userFile: (where) => join(applicationSupport(where), 'Code', 'User', 'mcp.json'),
    projectFile: join('.vscode', 'mcp.json'),
    next: 'In VS Code, the command "MCP: List Servers" starts it.',
  },
  // https://developers.openai.com/codex/mcp. A project's file is used only if the project is trusted.
  codex: {
    title: 'Codex',
    format: tomlFormat,
    container: 'mcp_servers',
    entry: forCodex,
    userFile: ({ env, home }) => join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    projectFile: join('.codex', 'config.toml'),
    next: 'It takes effect the next time codex starts; /mcp in codex shows it.',
  },
  // https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/reference/configuration
  gemini: {
    ...PLAIN_JSON,
    title: 'Gemini CLI',
    userFile: ({ env, home }) => join(env['GEMINI_CLI_HOME'] || home, '.gemini', 'settings.json'),
    projectFile: join('.gemini', 'settings.json'),
    next: 'It takes effect the next time gemini starts; /mcp in gemini shows it.',
  },
  // https://docs.windsurf.com/windsurf/cascade/mcp
  windsurf: {
    ...PLAIN_JSON,
    title: 'Windsurf',
    userFile: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    projectFile: null,
    next: 'Refresh the MCP servers in Cascade.',
  },
  // https://zed.dev/docs/ai/mcp, https://zed.dev/docs/configuring-zed. The "source" key of older versions is
  // deprecated.
  zed: {
    title: 'Zed',
    format: jsonFormat,
    container: 'context_servers',
    entry: plain,
    userFile: ({ env, home, platform }) =>
      join(platform === 'darwin' ? dotConfig(home) : xdg(env, home), 'zed', 'settings.json'),
    projectFile: join('.zed', 'settings.json'),
    next: 'It takes effect immediately; the agent panel settings show it.',
  },
  // https://opencode.ai/docs/mcp-servers, https://opencode.ai/docs/config
  opencode: {
    title: 'opencode',
    format: jsonFormat,
    container: 'mcp',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
    userFile: ({ env, home }) => join(xdg(env, home), 'opencode', 'opencode.json'),
    projectFile: 'opencode.json',
    next: 'It takes effect the next time opencode starts; opencode mcp list shows it.',
  },
};

function plain({ command, args }: ServerCommand): Entry {
  return { command, args };
}

function stdio(command: ServerCommand): Entry {
  return { type: 'stdio', ...plain(command) };
}

/**
 * Startup timeout. By default, Codex waits ten seconds for a server to start, which is too short for a first download.
 */
const FIRST_DOWNLOAD_S = 60;
/**
 * Timeout for calls: longer than any tenacitty call takes. It is set explicitly because versions of Codex differ in how
 * long they wait for a response.
 */
const ANSWER_S = 300;

function forCodex(command: ServerCommand): Entry {
  const start = command.isDownloaded ? { startup_timeout_sec: FIRST_DOWNLOAD_S } : {};
  return { ...plain(command), ...start, tool_timeout_sec: ANSWER_S };
}

/** Returns the directory where Electron applications keep their data. */
function applicationSupport({ env, home, platform }: UserContext): string {
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : xdg(env, home);
}

/**
 * Returns the configuration directory according to the XDG base directory specification, which says to ignore relative
 * paths.
 */
function xdg(env: UserContext['env'], home: string): string {
  const base = env['XDG_CONFIG_HOME'];
  return base?.startsWith('/') ? base : dotConfig(home);
}

function dotConfig(home: string): string {
  return join(home, '.config');
}
