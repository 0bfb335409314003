import type { McpClientName } from '../flags/mcp.js';
import { CLIENTS } from './clients.js';
import type { UserContext } from './user-context.js';

const LINUX: UserContext = { home: '/h', env: {}, platform: 'linux', cwd: '/w' };
const COMMAND = { command: 'node', args: ['mcp'], isDownloaded: false };
const fileOf = (name: McpClientName, where: Partial<UserContext> = {}) =>
  CLIENTS[name].userFile({ ...LINUX, ...where });

it.each([
  ['claude', '/h/.claude.json', '/h/.claude.json'],
  [
    'claude-desktop',
    '/h/.config/Claude/claude_desktop_config.json',
    '/h/Library/Application Support/Claude/claude_desktop_config.json',
  ],
  ['cursor', '/h/.cursor/mcp.json', '/h/.cursor/mcp.json'],
  ['vscode', '/h/.config/Code/User/mcp.json', '/h/Library/Application Support/Code/User/mcp.json'],
  ['codex', '/h/.codex/config.toml', '/h/.codex/config.toml'],
  ['gemini', '/h/.gemini/settings.json', '/h/.gemini/settings.json'],
  ['windsurf', '/h/.codeium/windsurf/mcp_config.json', '/h/.codeium/windsurf/mcp_config.json'],
  ['zed', '/h/.config/zed/settings.json', '/h/.config/zed/settings.json'],
  ['opencode', '/h/.config/opencode/opencode.json', '/h/.config/opencode/opencode.json'],
] as const)('%s keeps its servers in %s, on macOS in %s', (name, linux, mac) => {
  expect([fileOf(name), fileOf(name, { platform: 'darwin' })]).toEqual([linux, mac]);
});

it.each([
  ['claude', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
  ['codex', { CODEX_HOME: '/c' }, '/c/config.toml'],
  ['gemini', { GEMINI_CLI_HOME: '/c' }, '/c/.gemini/settings.json'],
  ['zed', { XDG_CONFIG_HOME: '/c' }, '/c/zed/settings.json'],
  ['vscode', { XDG_CONFIG_HOME: '/c' }, '/c/Code/User/mcp.json'],
  ['vscode', { XDG_CONFIG_HOME: 'relative' }, '/h/.config/Code/User/mcp.json'],
  ['claude', { CLAUDE_CONFIG_DIR: '' }, '/h/.claude.json'],
] as const)('%s applies %j', (name, env, path) => expect(fileOf(name, { env })).toBe(path));

it.each([
  ['claude', 'mcpServers', { type: 'stdio', command: 'node', args: ['mcp'] }],
  ['claude-desktop', 'mcpServers', { command: 'node', args: ['mcp'] }],
  ['cursor', 'mcpServers', { type: 'stdio', command: 'node', args: ['mcp'] }],
  ['vscode', 'servers', { type: 'stdio', command: 'node', args: ['mcp'] }],
  ['codex', 'mcp_servers', { command: 'node', args: ['mcp'], tool_timeout_sec: 300 }],
  ['gemini', 'mcpServers', { command: 'node', args: ['mcp'] }],
  ['windsurf', 'mcpServers', { command: 'node', args: ['mcp'] }],
  ['zed', 'context_servers', { command: 'node', args: ['mcp'] }],
  ['opencode', 'mcp', { type: 'local', command: ['node', 'mcp'] }],
] as const)('%s has, below %s, an entry %j', (name, container, entry) => {
  expect(CLIENTS[name].container).toBe(container);
  expect(CLIENTS[name].entry(COMMAND)).toEqual(entry);
});

it('Codex gets time for a download', () => {
  expect(CLIENTS.codex.entry({ ...COMMAND, isDownloaded: true })).toMatchObject({ startup_timeout_sec: 60 });
});
