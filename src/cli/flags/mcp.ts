/** The flags of `mcp`. */
import { text, toggle, valued } from '../flag.js';
import { IS_PUBLISHED } from '../published.js';

export const MCP_ACTIONS = ['install', 'uninstall'] as const;

/** The clients whose configuration `mcp install` can change. */
export const MCP_CLIENTS = [
  'claude',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'windsurf',
  'zed',
  'opencode',
] as const;

export type McpClientName = (typeof MCP_CLIENTS)[number];

/**
 * What happens to terminals after their client has disconnected. A copy of the MCP server's `CLOSE_MODES`, because the
 * help does not load that module.
 */
const ON_CLOSE = ['idle', 'keep', 'end'] as const;

/** Flags of the server, which `install` writes into a client's configuration. */
const SERVING_FLAGS = {
  workspace: text(
    'NAME',
    'Workspace that the numbered terminals belong to. A server with the same name finds the same terminals.',
  ),
  onClose: valued({
    valueName: 'MODE',
    doc:
      'What happens when the client disconnects. idle: ends shells at an empty prompt after ten minutes. keep: ' +
      'ends nothing. end: ends all terminals after two minutes. Default: idle.',
    choices: ON_CLOSE,
    expected: `one of ${ON_CLOSE.join(', ')}`,
    read: (given) => ON_CLOSE.find((mode) => mode === given),
  }),
} as const;

const NPX_FLAG = {
  npx: toggle(
    'The client starts the server with npx -y tenacitty: for a configuration file that you share with others.',
  ),
} as const;

/** Flags that only `install` and `uninstall` accept. */
export const INSTALL_FLAGS = {
  project: toggle(
    'Writes to the configuration of the project in this directory. Default: your user configuration, for ' +
      'all projects.',
  ),
  name: valued({
    valueName: 'NAME',
    doc: 'Name of the server in the client. Default: tenacitty.',
    expected: 'at most 64 letters, digits, - and _',
    // Matches the names that all clients accept. Clients derive the names of tools from them.
    read: (given) => (/^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : undefined),
  }),
  command: text('PROGRAM', 'The tenacitty executable that the client starts. Default: the full path of this one.'),
  // If the flag does not exist, its value is undefined, which has the same effect as false.
  ...(IS_PUBLISHED ? NPX_FLAG : ({} as typeof NPX_FLAG)),
  file: text('FILE', 'Configuration file, if it is not in its usual place.'),
  dryRun: toggle('Prints the change as a diff, without making it.'),
  json: toggle('Prints the result as JSON.'),
} as const;

export const MCP_FLAGS = { ...SERVING_FLAGS, ...INSTALL_FLAGS } as const;
