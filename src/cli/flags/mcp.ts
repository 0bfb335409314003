/** The flags of `mcp`. */
import { text, toggle, valued } from '../flag.js';
import { IS_PUBLISHED } from '../published.js';

export const MCP_ACTIONS = ['install', 'uninstall'] as const;

/** The programs whose configuration `mcp install` can change. */
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
 * What happens to terminals whose client has gone. Copies `CLOSE_MODES` of the MCP server, which is not loaded for the
 * help.
 */
const ON_CLOSE = ['idle', 'keep', 'end'] as const;

/** Flags for serving; `install` writes them into a client's configuration. */
const SERVING_FLAGS = {
  workspace: text('NAME', 'Whose numbered terminals these are; the same name finds the same ones again.'),
  onClose: valued({
    valueName: 'MODE',
    doc: 'When the client has gone: idle ends shells at an empty prompt after ten minutes, keep nothing, end all after two. Default: idle.',
    choices: ON_CLOSE,
    expected: `one of ${ON_CLOSE.join(', ')}`,
    read: (given) => ON_CLOSE.find((mode) => mode === given),
  }),
} as const;

const NPX_FLAG = {
  npx: toggle('Lets the client start it by npx -y tenacitty, as for a file that others share.'),
} as const;

/** Flags for `install` and `uninstall` only. */
export const INSTALL_FLAGS = {
  project: toggle('For the project in this directory, in a file beside its sources. Default: for you, everywhere.'),
  name: valued({
    valueName: 'NAME',
    doc: 'What the client is to call it. Default: tenacitty.',
    expected: 'letters, digits, - and _, 64 at most',
    // The names that all clients accept; they build tool names from them.
    read: (given) => (/^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : undefined),
  }),
  command: text('PROGRAM', 'The tenacitty that the client starts. Default: this one, by its full path.'),
  // Without the flag its value is undefined, which works like false.
  ...(IS_PUBLISHED ? NPX_FLAG : ({} as typeof NPX_FLAG)),
  file: text('FILE', 'The configuration file, where it is not in its usual place.'),
  dryRun: toggle('Prints the change as a diff, and changes nothing.'),
  json: toggle('Prints what was done as JSON.'),
} as const;

export const MCP_FLAGS = { ...SERVING_FLAGS, ...INSTALL_FLAGS } as const;
