/** The commands for agents. Table entries only. */
import { command } from '../command.js';
import { IS_PUBLISHED } from '../published.js';
import { MCP_ACTIONS, MCP_CLIENTS, MCP_FLAGS } from '../flags/mcp.js';

const NPX_EXAMPLE = { line: 'tenacitty mcp install cursor --project --npx', doc: 'for all who work on this project' };

export const MCP = command({
  name: 'mcp',
  summary: 'Serve the Model Context Protocol on stdin and stdout, or add that to a client',
  description: [
    'Without words: the MCP server that a client starts. Settings, --workspace and --on-close count. It ends with its ' +
      'stdin; what runs in its terminals goes on.',
    `install CLIENT adds it to the configuration of ${MCP_CLIENTS.join(', ')}; uninstall CLIENT takes it out again. All ` +
      'else in the file stays as it is; what it was before is kept beside it (….tenacitty-backup-…). Settings given as ' +
      'flags, --workspace and --on-close are written into the configuration.',
  ],
  operands: [
    { name: MCP_ACTIONS.join('|'), isOptional: true, choices: MCP_ACTIONS },
    { name: 'CLIENT', isOptional: true, choices: MCP_CLIENTS },
  ],
  flags: MCP_FLAGS,
  examples: [
    { line: 'tenacitty mcp install claude', doc: 'in Claude Code, for you, in every project' },
    ...(IS_PUBLISHED ? [NPX_EXAMPLE] : []),
    { line: 'tenacitty mcp install zed --dry-run', doc: 'shows what would be changed' },
    { line: 'tenacitty mcp uninstall claude', doc: 'leaves the file as it was before' },
  ],
  load: async () => (await import('../commands/mcp.js')).mcp,
});
